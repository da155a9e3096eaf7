//! Cases compiled as the product compiles, and run.

use tyto_artifact::EntryKind;
use tyto_compile::{Target, module_flags};
use tyto_graph::interpreter::Tensor;
use tyto_graph::{DType, Graph};
use tyto_iree_rt::{Code, Compiler, ElementType, Program, Runtime, RuntimeOptions, Value};

use crate::case::Case;

/// All cases in one module.
pub struct Device {
    runtime: Runtime,
    program: Program,
}

impl Device {
    /// Compiles the cases with the options of `kind` for this machine.
    pub fn new(cases: &[Case], kind: EntryKind) -> Self {
        Self::with_flags(cases, &module_flags(Target::CpuHost, kind, 32))
    }

    /// Compiles the cases with these options.
    pub fn with_flags(cases: &[Case], flags: &[String]) -> Self {
        let graphs: Vec<Graph> = cases.iter().map(|case| case.graph.clone()).collect();
        let emitted = tyto_hlo_emit::emit("cases", &graphs).expect("cases emit");
        let compiler = Compiler::find(None).unwrap_or_else(|error| panic!("{error}"));
        let code = compiler.compile(emitted.text.as_bytes(), flags);
        let code = code.unwrap_or_else(|error| panic!("{error}"));
        let options = RuntimeOptions { threads: Some(2), ..Default::default() };
        let runtime = Runtime::new(&options).expect("the CPU is always there");
        let program = Program::load(&runtime, [Code::from(code)], &[]).expect("cases load");
        Self { runtime, program }
    }

    /// The results of a case.
    pub fn run(&self, case: &Case) -> Vec<Tensor> {
        let name = &case.graph.name;
        let function = self.program.function(&format!("cases.{name}")).expect("a case is there");
        let arguments = case.graph.inputs.iter().map(|input| {
            let tensor = &case.inputs[&*input.name];
            let element = element(tensor.dtype());
            let bytes = tensor.to_bytes();
            self.runtime.upload(tensor.shape(), element, &bytes).expect("uploads").into()
        });
        let values = function.call(arguments.collect()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let outputs = values.into_iter().zip(&case.graph.outputs);
        outputs
            .map(|(value, output)| {
                let buffer = Value::into_buffer(value).expect("a tensor");
                let dtype = case.graph.ty(output.value()).dtype;
                let bytes = buffer.map(<[u8]>::to_vec).expect("reads");
                Tensor::from_bytes(dtype, buffer.shape(), &bytes).expect("sizes fit")
            })
            .collect()
    }

    /// How far the results of a case are from these, relative to the largest of them.
    pub fn distance(&self, case: &Case, expected: &[Tensor]) -> f32 {
        let found = self.run(case);
        assert_eq!(expected.len(), found.len(), "{}: results", case.graph.name);
        let apart = |(expected, found): (&Tensor, &Tensor)| {
            assert_eq!(expected.ty(), found.ty(), "{}", case.graph.name);
            Case::distance(expected, found)
        };
        expected.iter().zip(&found).map(apart).fold(0.0, f32::max)
    }
}

fn element(dtype: DType) -> ElementType {
    match dtype {
        DType::F32 => ElementType::F32,
        DType::F16 => ElementType::F16,
        DType::BF16 => ElementType::Bf16,
        DType::F8E4M3 => ElementType::F8E4M3Fn,
        DType::F8E5M2 => ElementType::F8E5M2,
        DType::I64 => ElementType::I64,
        DType::I32 => ElementType::I32,
        DType::I8 => ElementType::I8,
        // As compiled code has bytes: signless.
        DType::U8 => ElementType::I8,
        DType::Bool => ElementType::Bool,
    }
}
