// What the header of NCCL wants of CUDA's other API. IREE's driver looks for that library when a
// program asks for collectives, which ours never do.
#ifndef TYTO_CUDA_RUNTIME_H
#define TYTO_CUDA_RUNTIME_H

#include "cuda.h"

typedef CUstream cudaStream_t;

#endif
