//! Which recorded steps a GPU may keep as programs of its command processor (PM4).
//!
//! IREE's driver `amdgpu` turns a recorded command buffer into such a program if it is declared
//! to hold dispatches only. IREE's compiler declares transfers for every one, so the declaration
//! is corrected here, between two of its phases, where it is true and where no kernel needs memory
//! that such programs do not give: scratch, which IREE's driver refuses when it loads the code, and
//! shared memory of a workgroup, for which the driver of IREE 3.13 sets no size and which would be
//! lost in silence. Kernels of ours have the size in their descriptors (`tyto_native_rocm`), which
//! such programs take as they are. Without the driver's option the declaration changes nothing.

/// What IREE's compiler writes for a buffer that is recorded once.
const RECORDED: &str = "mode(\"None\") categories(\"Transfer|Dispatch\")";

/// What is true of one that holds dispatches only.
const DISPATCHES: &str = "mode(\"None\") categories(\"Dispatch\")";

/// A buffer that is recorded in every call.
const EACH_CALL: &str = "mode(OneShot)";

/// Commands that are transfers.
const TRANSFERS: [&str; 3] =
    ["command_buffer.fill_buffer", "command_buffer.copy_buffer", "command_buffer.update_buffer"];

/// Where functions and the like begin in the text of a program.
const ITEM: &str = "\n  util.";

/// A function that callers see: then its name and a parenthesis.
const PUBLIC: &str = "util.func public @";

/// A kernel's description in its code object has these words in this order, each followed by its
/// value, in MessagePack.
const SHARED: &[u8] = b".group_segment_fixed_size";
const NAME: &[u8] = b"\xa5.name";
const SCRATCH: &[u8] = b".private_segment_fixed_size";

/// A program at the phase `hal`, with corrected declarations.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) text: String,
    /// The functions all of whose command buffers can stay on the device.
    pub(crate) ready: Vec<String>,
}

/// Corrects the declarations of a program. `sized`: its kernels' descriptors have the sizes of
/// shared memory.
pub(crate) fn mark(program: &str, sized: bool) -> Marked {
    let excluded = kernels_with_memory(program, sized);
    let mut text = String::with_capacity(program.len());
    let (mut functions, mut recorded) = (Vec::new(), Vec::new());
    for item in items(program) {
        let dispatches_only = !TRANSFERS.iter().any(|command| item.contains(command))
            && !excluded.iter().any(|kernel| item.contains(&format!("@{kernel})")));
        if item.contains(RECORDED) {
            recorded.push((item, dispatches_only));
        }
        if let Some(name) = public_name(item) {
            functions.push((name, !item.contains(EACH_CALL)));
        }
        match dispatches_only {
            true => text.push_str(&item.replace(RECORDED, DISPATCHES)),
            false => text.push_str(item),
        }
    }
    let ready = |(name, recorded_once): &(&str, bool)| {
        // IREE names the function that records a buffer after the one that replays it.
        let own = format!("@__{name}_memoize_apply");
        let mut own = recorded.iter().filter(|(item, _)| item.contains(&own)).peekable();
        *recorded_once && own.peek().is_some() && own.all(|(_, dispatches_only)| *dispatches_only)
    };
    let ready = functions.iter().filter(|function| ready(function));
    let ready = ready.map(|(name, _)| (*name).to_owned()).collect();
    Marked { text, ready }
}

/// The program cut before each function and the like.
fn items(program: &str) -> impl Iterator<Item = &str> {
    let mut rest = program;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?.len_utf8();
        let end = rest[first..].find(ITEM).map_or(rest.len(), |at| at + first);
        let (item, more) = rest.split_at(end);
        rest = more;
        Some(item)
    })
}

fn public_name(item: &str) -> Option<&str> {
    let name = &item[item.find(PUBLIC)? + PUBLIC.len()..];
    name.split('(').next()
}

/// The kernels in the program that need memory that they would not get. Code objects stand in it as
/// hexadecimal text.
fn kernels_with_memory(program: &str, sized: bool) -> Vec<String> {
    let [shared, name, scratch] = [SHARED, NAME, SCRATCH].map(hexadecimal);
    let none = |word: &str, at: usize| program[at + word.len()..].starts_with("00");
    let of_kernel = |(at, _): (usize, &str)| {
        let before = &program[..at];
        let needs_shared = !sized && before.rfind(&shared).is_some_and(|at| !none(&shared, at));
        let name = text_of(&before[before.rfind(&name)? + name.len()..])?;
        (needs_shared || !none(&scratch, at)).then_some(name)
    };
    program.match_indices(&scratch).filter_map(of_kernel).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The MessagePack string at the beginning of hexadecimal text.
fn text_of(digits: &str) -> Option<String> {
    let byte = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
    let (length, begin) = match byte(0)? {
        short @ 0xa0..=0xbf => (usize::from(short & 0x1f), 1),
        0xd9 => (usize::from(byte(1)?), 2),
        0xda => (usize::from(byte(1)?) << 8 | usize::from(byte(2)?), 3),
        _ => return None,
    };
    let bytes: Option<Vec<u8>> = (begin..begin + length).map(byte).collect();
    String::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function that replays one recorded buffer, which dispatches `kernel`.
    fn function(name: &str, kernel: &str, command: &str) -> String {
        format!(
            "\n  util.func private @__{name}_memoize_apply() {{\n    {RECORDED}\n    {command} \
             function(@l::@gfx1151::@{kernel})\n  }}\n  util.func public @{name}(%a) {{\n  }}"
        )
    }

    /// Code objects' notes with these kernels: the first bytes of their shared and scratch memory.
    fn notes(kernels: &[(&str, &str, &str)]) -> String {
        let kernel = |(name, shared, scratch): &(&str, &str, &str)| {
            let name = [NAME, &[0xd9, name.len() as u8], name.as_bytes()].concat();
            let shared = hexadecimal(SHARED) + shared;
            shared + &hexadecimal(&name) + "AB" + &hexadecimal(SCRATCH) + scratch
        };
        let kernels: String = kernels.iter().map(kernel).collect();
        format!("module {{ dense<\"0xAB{kernels}AB\">")
    }

    #[test]
    fn buffers_of_dispatches_are_declared_as_such() {
        let program = notes(&[("k", "00", "00")]) + &function("a", "k", "dispatch") + "\n}";
        let expected = program.replace(RECORDED, DISPATCHES);
        assert_eq!(mark(&program, false), Marked { text: expected, ready: vec!["a".to_owned()] });
    }

    #[test]
    fn a_buffer_with_a_transfer_or_a_kernel_with_memory_stays_as_it_is() {
        let notes =
            notes(&[("k", "00", "00"), ("large", "00", "CD0204"), ("shared", "CD0360", "00")]);
        let copy = function("a", "k", "hal.command_buffer.copy_buffer");
        let (scratch, shared) =
            (function("b", "large", "dispatch"), function("d", "shared", "dispatch"));
        let good = function("c", "k", "dispatch");
        let kept = format!("{notes}{copy}{scratch}{shared}");
        let expected = format!("{kept}{}", good.replace(RECORDED, DISPATCHES));
        let marked = mark(&format!("{kept}{good}"), false);
        assert_eq!(marked, Marked { text: expected, ready: vec!["c".to_owned()] });
    }

    #[test]
    fn shared_memory_is_no_obstacle_where_descriptors_have_its_size() {
        let notes = notes(&[("k", "CD0360", "00"), ("large", "CD0360", "04")]);
        let program = notes + &function("a", "k", "dispatch") + &function("b", "large", "dispatch");
        assert_eq!(mark(&program, true).ready, ["a"]);
        assert!(mark(&program, false).ready.is_empty());
    }

    #[test]
    fn a_function_that_records_in_each_call_is_not_ready() {
        let recorded = function("a", "k", "dispatch");
        let program = recorded.replace("(%a) {", &format!("(%a) {{ {EACH_CALL}"));
        assert!(mark(&program, false).ready.is_empty());
        assert_eq!(mark(&recorded, false).ready, ["a"]);
        // Initializers do so when the code is loaded, which is no step.
        let loading = format!("{recorded}\n  util.initializer {{ {EACH_CALL} }}");
        assert_eq!(mark(&loading, false).ready, ["a"]);
    }

    #[test]
    fn nothing_is_lost_between_the_items() {
        let program = notes(&[]) + &function("a", "k", "copy") + &function("b", "k", "copy");
        assert_eq!(items(&program).collect::<String>(), program);
    }
}
