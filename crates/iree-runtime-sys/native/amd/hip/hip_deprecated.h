// HIP 6 and later have a header of this name, which is found before this one. Older ones have the
// old structure of device properties only, under its plain name.
#ifndef TYTO_HIP_DEPRECATED_H
#define TYTO_HIP_DEPRECATED_H

#include <hip/hip_runtime_api.h>

typedef hipDeviceProp_t hipDeviceProp_tR0000;

#endif
