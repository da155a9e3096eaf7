// The headers of IREE's runtime that the Rust side binds.
#include "iree/base/api.h"
#include "iree/async/frontier_tracker.h"
#include "iree/async/util/proactor_pool.h"
#include "iree/hal/api.h"
#include "iree/hal/driver_registry.h"
#include "iree/hal/drivers/init.h"
#include "iree/io/file_handle.h"
#include "iree/io/parameter_index.h"
#include "iree/io/parameter_index_provider.h"
#include "iree/modules/hal/debugging.h"
#include "iree/modules/hal/module.h"
#include "iree/modules/hal/types.h"
#include "iree/modules/io/parameters/module.h"
#include "iree/vm/api.h"
#include "iree/vm/bytecode/module.h"
// For a task device with a chosen number of worker threads.
#include "iree/hal/drivers/local_task/task_driver.h"
#include "iree/hal/local/executable_plugin_manager.h"
#include "iree/hal/local/loaders/registration/init.h"
#include "iree/task/api.h"
#ifdef TYTO_AMD
#include "native/amd/drivers.h"
#endif
