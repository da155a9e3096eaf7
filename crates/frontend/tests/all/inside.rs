//! Text models inside models that also see or hear: the same model as by itself.

use std::path::Path;

use crate::common::{CONTEXT, F32, config, copy, refusal};
use crate::weights::{read, write};
use serde_json::{Map, Value, json};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool};

/// A case's files as those of another model.
struct Wrapper {
    case: &'static str,
    model_type: &'static str,
    architecture: &'static str,
    /// Where `model` is, and where `lm_head`.
    places: [&'static str; 2],
    /// A tensor of what sees.
    beside: &'static str,
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        case: "gemma3_text",
        model_type: "gemma3",
        architecture: "Gemma3ForConditionalGeneration",
        places: ["language_model.model", "language_model.lm_head"],
        beside: "multi_modal_projector.mm_soft_emb_norm.weight",
    },
    Wrapper {
        case: "gemma3n_text",
        model_type: "gemma3n",
        architecture: "Gemma3nForConditionalGeneration",
        places: ["model.language_model", "lm_head"],
        beside: "model.embed_audio.soft_embedding_norm.weight",
    },
    Wrapper {
        case: "mistral",
        model_type: "mistral3",
        architecture: "Mistral3ForConditionalGeneration",
        places: ["language_model.model", "language_model.lm_head"],
        beside: "vision_tower.ln_pre.weight",
    },
    Wrapper {
        case: "ministral3",
        model_type: "mistral3",
        architecture: "Mistral3ForConditionalGeneration",
        places: ["model.language_model", "lm_head"],
        beside: "model.vision_tower.ln_pre.weight",
    },
    Wrapper {
        case: "qwen2",
        model_type: "qwen2_5_vl",
        architecture: "Qwen2_5_VLForConditionalGeneration",
        places: ["model.language_model", "lm_head"],
        beside: "model.visual.merger.ln_q.weight",
    },
    Wrapper {
        case: "qwen3",
        model_type: "qwen3_vl",
        architecture: "Qwen3VLForConditionalGeneration",
        places: ["model.language_model", "lm_head"],
        beside: "model.visual.merger.norm.weight",
    },
    Wrapper {
        case: "llama4",
        model_type: "llama4",
        architecture: "Llama4ForConditionalGeneration",
        places: ["language_model.model", "language_model.lm_head"],
        beside: "multi_modal_projector.linear_1.weight",
    },
];

/// The logits of a few tokens.
fn logits(directory: &Path) -> Vec<Vec<f32>> {
    let checkpoint = Checkpoint::open(directory).expect("a checkpoint");
    let model = tyto_frontend::open(&checkpoint).unwrap_or_else(|error| panic!("{error}"));
    let mut runner = Interpreted::new(&model, &checkpoint, F32);
    runner.prefill(&mut Pool::new(&F32, CONTEXT, 1), &[1, 20, 33, 7, 90, 12, 55, 8, 9], 5)
}

impl Wrapper {
    fn config(&self, mut text: Value) -> Value {
        text.as_object_mut().expect("an object").remove("architectures");
        json!({
            "architectures": [self.architecture], "model_type": self.model_type,
            "text_config": text, "vision_config": { "hidden_size": 8 }, "image_token_id": 5,
            "tie_word_embeddings": text["tie_word_embeddings"],
        })
    }

    fn name(&self, name: &str) -> String {
        for (own, place) in ["model.", "lm_head."].iter().zip(self.places) {
            if let Some(rest) = name.strip_prefix(own) {
                return format!("{place}.{rest}");
            }
        }
        name.to_owned()
    }
}

#[test]
fn a_text_model_inside_another_is_the_same() {
    for wrapper in WRAPPERS {
        let text = config(wrapper.case, "config.json");
        let directory = copy(wrapper.case, &wrapper.config(text));
        let file = directory.path().join("model.safetensors");
        let (header, mut data) = read(&file);
        let mut moved: Map<String, Value> = Map::new();
        for (name, entry) in &header {
            moved.insert(wrapper.name(name), entry.clone());
        }
        let begin = data.len();
        data.extend([0; 8]);
        let entry = json!({ "dtype": "F32", "shape": [2], "data_offsets": [begin, data.len()] });
        moved.insert(wrapper.beside.to_owned(), entry);
        write(&file, &moved, &data);

        let plain = copy(wrapper.case, &config(wrapper.case, "config.json"));
        assert_eq!(logits(directory.path()), logits(plain.path()), "{}", wrapper.case);
    }
}

/// Another tensor beside the text model is refused, as are fields that nothing reads.
#[test]
fn what_is_not_known_beside_it_is_refused() {
    let wrapper = &WRAPPERS[0];
    let mut config = wrapper.config(config(wrapper.case, "config.json"));
    config["text_config"]["depth_of_thought"] = json!(3);
    let message = refusal(wrapper.case, config);
    assert!(message.contains("text_config.depth_of_thought"), "{message}");
}

/// Older files have all fields side by side, and a name of their own for the plain rotary embedding in
/// sections.
#[test]
fn fields_side_by_side_are_the_same_too() {
    let plain = config("qwen2", "config.json");
    let mut flat = plain.clone();
    let object = flat.as_object_mut().expect("an object");
    let rope = object.remove("rope_parameters").expect("an object");
    object.insert("rope_theta".into(), rope["rope_theta"].clone());
    object.insert("rope_scaling".into(), json!({ "type": "mrope", "mrope_section": [2, 2, 1] }));
    object.insert("vision_config".into(), json!({ "depth": 2 }));
    object.insert("vision_start_token_id".into(), json!(7));
    object.insert("model_type".into(), json!("qwen2_5_vl"));
    object.insert("architectures".into(), json!(["Qwen2_5_VLForConditionalGeneration"]));
    let [flat, plain] = [flat, plain].map(|config| copy("qwen2", &config));
    assert_eq!(logits(flat.path()), logits(plain.path()));
}
