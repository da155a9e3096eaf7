// IREE's sources name the headers by this path.
#include <hsa/hsa_ven_amd_loader.h>
