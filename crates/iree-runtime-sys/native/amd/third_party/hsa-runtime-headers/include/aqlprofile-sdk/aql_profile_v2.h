// Stands in for the header of AMD's library of hardware counters, which no distribution has. Tyto
// does not use the counters. IREE compares its own copy of each structure with the header's: here
// they are the same. The version is none that a library has, so none is ever used unchecked.
#ifndef TYTO_AQL_PROFILE_V2_H
#define TYTO_AQL_PROFILE_V2_H

#define AQLPROFILE_VERSION_MAJOR 0x7fffffff

#define TYTO_SAME(name) typedef iree_hal_amdgpu_aqlprofile_##name aqlprofile_##name
TYTO_SAME(agent_handle_t);
TYTO_SAME(agent_info_v1_t);
TYTO_SAME(att_control_aql_packets_t);
TYTO_SAME(att_parameter_t);
TYTO_SAME(att_profile_t);
TYTO_SAME(buffer_desc_flags_t);
TYTO_SAME(handle_t);
TYTO_SAME(pmc_aql_packets_t);
TYTO_SAME(pmc_event_flags_t);
TYTO_SAME(pmc_event_t);
TYTO_SAME(pmc_profile_t);
TYTO_SAME(version_t);
#undef TYTO_SAME
typedef iree_hal_amdgpu_aqlprofile_att_code_object_data_t aqlprofile_att_codeobj_data_t;
typedef iree_hsa_amd_aql_pm4_ib_packet_t hsa_ext_amd_aql_pm4_packet_t;

enum {
  HSA_VEN_AMD_AQLPROFILE_BLOCK_NAME_SQ = IREE_HAL_AMDGPU_AQLPROFILE_BLOCK_NAME_SQ,
  HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_COMPUTE_UNIT_TARGET =
      IREE_HAL_AMDGPU_AQLPROFILE_PARAMETER_NAME_COMPUTE_UNIT_TARGET,
  HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_SE_MASK =
      IREE_HAL_AMDGPU_AQLPROFILE_PARAMETER_NAME_SE_MASK,
  HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_SIMD_SELECTION =
      IREE_HAL_AMDGPU_AQLPROFILE_PARAMETER_NAME_SIMD_SELECTION,
  HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_ATT_BUFFER_SIZE =
      IREE_HAL_AMDGPU_AQLPROFILE_PARAMETER_NAME_ATT_BUFFER_SIZE,
  AQLPROFILE_ATT_PARAMETER_NAME_BUFFER_SIZE_HIGH =
      IREE_HAL_AMDGPU_AQLPROFILE_ATT_PARAMETER_NAME_BUFFER_SIZE_HIGH,
  AQLPROFILE_ATT_PARAMETER_NAME_RT_TIMESTAMP =
      IREE_HAL_AMDGPU_AQLPROFILE_ATT_PARAMETER_NAME_RT_TIMESTAMP,
};

#endif
