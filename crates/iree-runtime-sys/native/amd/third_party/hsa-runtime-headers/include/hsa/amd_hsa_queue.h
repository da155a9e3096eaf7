// IREE's sources name the headers by this path.
#include <hsa/amd_hsa_queue.h>
