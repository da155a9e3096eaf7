//! What a model is for: to write text, to make one vector of a text, or to score one.

use tyto_checkpoint::{Checkpoint, DenseModule, Pooling, SentenceModules};
use tyto_graph::Unary;

use crate::error::Error;
use crate::nn;
use crate::trace::{Tensor, Weights};

/// What comes of the last hidden states, of each row that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Head {
    /// The logits of the next token.
    #[default]
    Logits,
    /// The hidden state itself, after the last norm.
    Hidden,
    /// One number, of the hidden state that stands for the whole text.
    Score,
}

/// What a model is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// It continues texts.
    #[default]
    Text,
    /// It makes vectors of texts, by these steps behind the hidden states.
    Embedding(SentenceModules),
    /// It scores texts, or how well one answers another.
    Rerank {
        /// Which token's hidden state is looked at.
        pooling: Pooling,
        /// Whether the score is the logistic of what the head gives.
        logistic: bool,
    },
}

/// What a configuration says of the number that becomes a score: sentence-transformers' own fields.
pub(crate) const SCORE_FIELDS: [&str; 2] =
    ["sbert_ce_default_activation_function", "sentence_transformers"];

impl Purpose {
    /// Scores of texts, of the token that the head looks at.
    pub(crate) fn rerank(checkpoint: &Checkpoint, pooling: Pooling) -> Result<Self, Error> {
        let config = checkpoint.config();
        let wrong = |field: &str, found: String, expected: &str| Error::WrongField {
            file: checkpoint.config_file(),
            field: field.to_owned(),
            found,
            expected: expected.to_owned(),
        };
        let labels = config.get("id2label").and_then(|labels| labels.as_object());
        let labels = labels.map(|labels| labels.len() as u64);
        let labels = config.get("num_labels").and_then(|count| count.as_u64()).or(labels);
        if labels != Some(1) {
            let found = labels.map_or("absent, which is 2".to_owned(), |count| count.to_string());
            let expected = "1: a head of several labels ranks nothing";
            return Err(wrong("num_labels", found, expected));
        }
        let [old, new] = SCORE_FIELDS;
        let nested = config.get(new).and_then(|object| object.get("activation_fn"));
        let named = nested.or_else(|| config.get(old)).and_then(|name| name.as_str());
        let logistic = match named.map(|name| name.rsplit('.').next().unwrap_or(name)) {
            // What sentence-transformers takes for one label.
            None | Some("Sigmoid") => true,
            Some("Identity") => false,
            Some(other) => {
                let expected = "Sigmoid or Identity of torch.nn";
                return Err(wrong(
                    if nested.is_some() { new } else { old },
                    other.into(),
                    expected,
                ));
            }
        };
        Ok(Self::Rerank { pooling, logistic })
    }

    /// Vectors of texts, by modules whose matrices fit behind hidden states of this width.
    pub(crate) fn embedding(
        checkpoint: &Checkpoint,
        modules: &SentenceModules,
        hidden: usize,
    ) -> Result<Self, Error> {
        let mut width = hidden;
        for DenseModule { place, inputs, outputs, tanh, .. } in &modules.dense {
            let folder = place.split('.').next().unwrap_or(place);
            let wrong = |field: &str, found: String, expected: String| Error::WrongField {
                file: checkpoint.path().join(folder).join("config.json"),
                field: field.to_owned(),
                found,
                expected,
            };
            if *inputs != width {
                let expected = format!("{width}, the width of what comes before");
                return Err(wrong("in_features", inputs.to_string(), expected));
            }
            if *tanh && modules.pooling == Pooling::Mean {
                // The mean is taken of what the matrices give: equal only where all is linear.
                let expected = "Identity behind a mean".to_owned();
                return Err(wrong("activation_function", "Tanh".to_owned(), expected));
            }
            width = *outputs;
        }
        Ok(Self::Embedding(modules.clone()))
    }

    /// What the steps behind the head make of its rows. Matrices are applied to every row that is
    /// asked for: the mean of products is the product of the mean.
    pub(crate) fn finish<'t>(&self, w: &Weights<'t>, rows: Tensor<'t>) -> Tensor<'t> {
        let Self::Embedding(modules) = self else { return rows };
        modules.dense.iter().fold(rows, |x, DenseModule { place, outputs, bias, tanh, .. }| {
            let y = nn::linear_bias(x, w.at(place), *outputs, *bias);
            if *tanh { y.unary(Unary::Tanh) } else { y }
        })
    }

    /// The head that serves it.
    pub fn head(&self) -> Head {
        match self {
            Self::Text => Head::Logits,
            Self::Embedding(_) => Head::Hidden,
            Self::Rerank { .. } => Head::Score,
        }
    }

    /// Whether rows of all of a text's tokens are wanted, and not of one.
    pub fn wants_all_rows(&self) -> bool {
        matches!(self, Self::Embedding(SentenceModules { pooling: Pooling::Mean, .. }))
    }

    /// Numbers in a row, where hidden states have `hidden` and there are `vocabulary` tokens.
    pub fn width(&self, hidden: usize, vocabulary: usize) -> usize {
        match self {
            Self::Text => vocabulary,
            Self::Embedding(modules) => modules.dense.last().map_or(hidden, |last| last.outputs),
            Self::Rerank { .. } => 1,
        }
    }
}
