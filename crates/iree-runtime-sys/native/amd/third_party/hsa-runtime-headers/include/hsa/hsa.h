// IREE's sources name the headers by this path.
#include <hsa/hsa.h>
