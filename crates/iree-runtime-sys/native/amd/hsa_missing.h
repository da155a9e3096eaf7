// What the amdgpu driver names and older HSA headers lack (Debian 13's are of ROCm 6.1). The build
// looks for each name in the headers and defines TYTO_HSA_LACKS_… for those that are not there.
// Values are those of ROCm 6.4.
#ifndef TYTO_HSA_MISSING_H
#define TYTO_HSA_MISSING_H

#ifdef TYTO_HSA_LACKS_QUEUE_INFO
// Part of a signature that the driver looks up and does not call.
typedef enum hsa_queue_info_attribute_s {
  HSA_AMD_QUEUE_INFO_AGENT = 0,
  HSA_AMD_QUEUE_INFO_DOORBELL_ID = 1,
} hsa_queue_info_attribute_t;
hsa_status_t HSA_API hsa_amd_queue_get_info(hsa_queue_t *queue, hsa_queue_info_attribute_t attribute,
                                            void *value);
#endif

#ifdef TYTO_HSA_LACKS_EXECUTABLE_FLAG
#define HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG (1 << 2)
#endif

#ifdef TYTO_HSA_LACKS_VMEM_POINTER
#define HSA_EXT_POINTER_TYPE_HSA_VMEM 6
#endif

#endif
