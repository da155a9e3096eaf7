//! The machine code that IREE makes of all functions: every instruction is known, and reads as in llvm-objdump.

mod functions;
#[path = "../../rdna-emu/tests/common/mod.rs"]
mod llvm;

use functions::iree::{Target, iree};
use tyto_rdna_emu::decode::{self, decode};
use tyto_rdna_emu::{Code, Memory};

#[test]
fn every_instruction_is_known_and_reads_as_in_llvm() {
    let mut instructions = 0;
    for family in functions::families() {
        let compiled = iree().compile(&family, Target::Gpu);
        let object = compiled.code_object.expect("it was compiled for the GPU");
        let object = std::fs::read(object).expect("the code object was written");
        for (text, words) in llvm::llvm_objdump(&object, "gfx1151") {
            let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let instruction = decode(&code, decode::Target::Gfx115x)
                .unwrap_or_else(|refusal| panic!("{}: {text}: {refusal}", family.name));
            assert_eq!(instruction.to_string(), text, "{} {words:08x?}", family.name);
            assert_eq!(instruction.size, 4 * words.len(), "{}: {text}", family.name);
            instructions += 1;
        }
        let code = Code::load(&object, &Memory::new()).expect("IREE writes code objects");
        let unknown: Vec<_> =
            code.unknown().into_iter().filter(|(_, text, _)| text != "s_code_end").collect();
        assert!(unknown.is_empty(), "{}: cannot be run: {unknown:?}", family.name);
    }
    assert!(instructions > 20_000, "only {instructions} instructions were compared");
}
