//! The exported functions, by subject.

/// Makes exported functions of bodies that return a `Result`. The first name is the runtime's.
macro_rules! exports {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($runtime:ident $(, $argument:ident: $type:ty)* $(,)?) $body:block
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// Every pointer is null or valid for what HIP's documentation says of it.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, clippy::too_many_arguments, reason = "HIP has chosen")]
        #[allow(unused_variables, reason = "some arguments of HIP's change nothing here")]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> i32 {
            $crate::hip::call(stringify!($name), |$runtime| $body)
        }
    )*};
}

pub mod contexts;
pub mod copies;
pub mod devices;
pub mod errors;
pub mod events;
pub mod functions;
pub mod graphs;
pub mod memory;
pub mod modules;
pub mod pools;
pub mod streams;
pub mod unsupported;
