//! Damaged chat templates and odd messages: text or an error, never a panic, and in little time.

use serde_json::{Value, json};
use tyto_text::fuzz;

/// SplitMix64: enough randomness for damage, and no dependency.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Every template of the fixtures with every conversation: a template, a zero byte, messages.
fn seeds() -> Vec<(Vec<u8>, Value)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let read = |path: std::path::PathBuf| std::fs::read(path).expect("the fixture is there");
    let conversations: Value =
        serde_json::from_slice(&read(folder.join("conversations.json"))).expect("JSON");
    let conversations = conversations.as_object().expect("an object");
    let mut files: Vec<_> = std::fs::read_dir(folder.join("templates"))
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let templates = files.into_iter().map(read);
    let pair = |template: Vec<u8>| {
        conversations.values().map(move |one| (template.clone(), one["messages"].clone()))
    };
    templates.flat_map(pair).collect()
}

fn input(template: &[u8], messages: &Value) -> Vec<u8> {
    [template, b"\0", messages.to_string().as_bytes()].concat()
}

/// What templates are made of, where it does harm.
const PIECES: [&str; 20] = [
    "{%",
    "%}",
    "{{",
    "}}",
    "{#",
    "-%}",
    "{% endfor %}",
    "{% endif %}",
    "{% else %}",
    "|tojson",
    "loop.index0",
    "[::-1]",
    "[0]",
    ".items()",
    " * 999999999",
    "namespace(a=1)",
    "{% for m in messages %}",
    "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}",
    "{% for i in range(99999) %}",
    "'%s' % (1, 2)",
];

/// One change of a template: bits, cuts, repeats, and pieces where they do not belong.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len().max(1));
    let end = (at + 1 + random.below(40)).min(bytes.len());
    match random.below(6) {
        _ if bytes.is_empty() => bytes.push(b'{'),
        0 => bytes[at] ^= 1 << random.below(7),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.extend_from_within(at..end),
        3 => bytes.truncate(at),
        _ => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].bytes())),
    }
}

/// Something else in the place of a random part of a value.
fn disturb(value: &mut Value, random: &mut Random) {
    let parts: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    let count = parts.len();
    if count > 0 && random.below(4) > 0 {
        let chosen = parts.into_iter().nth(random.below(count));
        return disturb(chosen.expect("it is below the count"), random);
    }
    let deep = (0..40).fold(json!("x"), |inner, _| json!([inner]));
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!([]),
        json!({}),
        json!([null, 1, "a"]),
        json!({"role": 1, "content": [{"type": "text"}]}),
        json!("{{ raise_exception('x') }}"),
        json!("\u{0}\u{202e}😀"),
        json!("a".repeat(5000)),
        deep,
        json!([{"type": "image"}, {"type": "text", "text": 5}]),
    ];
    *value = odd[random.below(odd.len())].clone();
}

#[test]
fn damaged_templates_and_odd_messages_give_text_or_an_error() {
    let seeds = seeds();
    let mut random = Random(2026);
    let (mut whole, mut damaged, mut refused) = (0, 0, 0);
    for _ in 0..1500 {
        let (template, messages) = &seeds[random.below(seeds.len())];
        let (mut template, mut messages) = (template.clone(), messages.clone());
        let changes = random.below(3);
        for _ in 0..changes {
            damage(&mut template, &mut random);
        }
        for _ in 0..random.below(2) {
            disturb(&mut messages, &mut random);
        }
        match fuzz::template(&input(&template, &messages)) {
            0 => refused += 1,
            _ if changes == 0 => whole += 1,
            _ => damaged += 1,
        }
    }
    // Nothing is shown by what is always refused, or never.
    assert!(whole > 150 && damaged > 50 && refused > 200, "{whole}, {damaged}, {refused}");
}

/// What would run or grow without end, at little cost for each.
#[test]
fn endless_templates_end() {
    let messages = json!([{"role": "user", "content": "x"}]);
    for template in [
        "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}",
        "{% macro f(x) %}{{ g(x) }}{% endmacro %}{% macro g(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}",
        "{{ 'abc' * 999999999999 }}",
        "{% for i in range(999999999999) %}x{% endfor %}",
    ] {
        assert_eq!(fuzz::template(&input(template.as_bytes(), &messages)), 0, "{template}");
    }
}
