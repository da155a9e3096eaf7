// IREE's sources name the headers by this path.
#include <hsa/hsa_ext_amd.h>
#include "hsa_missing.h"
