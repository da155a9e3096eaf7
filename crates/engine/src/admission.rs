//! Which requests are taken: everything that can be known to go wrong is refused here, before
//! it can touch a request that runs.

use crate::api::{GenerateRequest, SubmitError};
use crate::executor::ExecutorLimits;
use crate::params::InvalidField;

/// The sizes that decide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Admission {
    vocab_size: usize,
    /// What the model was compiled for.
    context_length: usize,
    /// The longest text that the empty cache holds.
    largest_text: usize,
}

impl Admission {
    /// A text may have `segments` kinds of ids, each as many as the vocabulary has.
    pub(crate) fn new(limits: &ExecutorLimits, largest_text: usize, segments: usize) -> Self {
        let ExecutorLimits { vocab_size, context_length, .. } = *limits;
        let vocab_size = vocab_size.saturating_mul(segments.max(1));
        Self { vocab_size, context_length, largest_text }
    }

    /// Tokens that prompt and answer may have together.
    pub(crate) fn usable_context(&self) -> usize {
        self.context_length.min(self.largest_text)
    }

    /// Checks a request. Returns how many tokens prompt and answer have at most.
    pub(crate) fn admit(&self, request: &GenerateRequest) -> Result<usize, SubmitError> {
        request.sampling.validate()?;
        self.check_ids("prompt", request.prompt.iter())?;
        self.check_ids("logit_bias", request.sampling.logit_bias.iter().map(|(id, _)| id))?;
        self.check_ids("stop_ids", request.stop_ids.iter())?;
        self.check_counts(request)?;
        self.text_limit(request)
    }

    /// Tokens that a text may have of which a vector is made: nothing is written after it.
    pub(crate) fn longest_text(&self) -> usize {
        self.context_length.min(self.largest_text - 1)
    }

    /// Checks a text of which a vector is wanted. Returns the limit of its sequence, which ends
    /// before it.
    pub(crate) fn admit_text(&self, text: &[u32]) -> Result<usize, SubmitError> {
        let (tokens, most) = (text.len(), self.longest_text());
        self.check_ids("prompt", text.iter())?;
        if text.is_empty() {
            let (field, found) = ("prompt", "empty".to_owned());
            let expected = "at least one token".to_owned();
            return Err(InvalidField { field, found, expected }.into());
        }
        if tokens > most {
            return Err(SubmitError::TextTooLong { tokens, most });
        }
        Ok(tokens + 1)
    }

    /// Checks how many texts one request asks for. More than can ever be alive at the same time
    /// would find the queue full for ever.
    pub(crate) fn admit_count(&self, count: usize, max_alive: usize) -> Result<(), InvalidField> {
        if (1..=max_alive).contains(&count) {
            return Ok(());
        }
        let (field, found) = ("prompt", format!("{count} texts"));
        let expected = format!("1 to {max_alive} texts in one request, which the queue can hold");
        Err(InvalidField { field, found, expected })
    }

    /// An id beyond the vocabulary would read or write another row's logits (C17, C19).
    fn check_ids<'a>(
        &self,
        field: &'static str,
        ids: impl Iterator<Item = &'a u32>,
    ) -> Result<(), InvalidField> {
        let vocab_size = self.vocab_size;
        match ids.copied().find(|&id| id as usize >= vocab_size) {
            Some(id) => Err(InvalidField {
                field,
                found: format!("token id {id}"),
                expected: format!("ids below {vocab_size}, the size of the vocabulary"),
            }),
            None => Ok(()),
        }
    }

    fn check_counts(&self, request: &GenerateRequest) -> Result<(), InvalidField> {
        let wrong =
            |field, found: String, expected: String| Err(InvalidField { field, found, expected });
        if request.prompt.is_empty() {
            return wrong("prompt", "empty".into(), "at least one token".into());
        }
        let most = self.vocab_size;
        if let Some(n) = request.logprobs.filter(|&n| n as usize > most) {
            return wrong("logprobs", n.to_string(), format!("at most {most}, the vocabulary"));
        }
        match request.max_tokens {
            Some(max) if request.min_tokens > max => wrong(
                "min_tokens",
                request.min_tokens.to_string(),
                format!("at most max_tokens, which is {max}"),
            ),
            _ => Ok(()),
        }
    }

    /// A request that asks for more tokens than the context has ends at the context's edge.
    /// One that the cache could never hold is refused, since it would wait for ever (D1);
    /// only without `max_tokens` is the cache's size taken as the context's edge.
    fn text_limit(&self, request: &GenerateRequest) -> Result<usize, SubmitError> {
        let prompt = request.prompt.len();
        let too_long = |context| Err(SubmitError::PromptTooLong { prompt, context });
        if request.max_tokens == Some(0) {
            // Nothing is computed, so there is nothing to fit but the prompt itself.
            let context = self.context_length;
            return if prompt > context { too_long(context) } else { Ok(prompt) };
        }
        if prompt >= self.usable_context() {
            return too_long(self.usable_context());
        }
        let Some(max_tokens) = request.max_tokens else { return Ok(self.usable_context()) };
        let limit = prompt.saturating_add(max_tokens as usize).min(self.context_length);
        if limit > self.largest_text {
            return Err(SubmitError::from(InvalidField {
                field: "max_tokens",
                found: max_tokens.to_string(),
                expected: format!(
                    "at most {} after a prompt of {prompt} tokens, since the whole cache holds \
                     a text of {} tokens",
                    self.largest_text - prompt,
                    self.largest_text
                ),
            }));
        }
        Ok(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::SamplingParams;

    fn admission(context_length: usize, largest_text: usize) -> Admission {
        Admission { vocab_size: 100, context_length, largest_text }
    }

    fn request(prompt: usize, max_tokens: Option<u32>) -> GenerateRequest {
        GenerateRequest { max_tokens, ..GenerateRequest::new(vec![1; prompt]) }
    }

    fn refused_field(request: &GenerateRequest) -> &'static str {
        match admission(64, 1000).admit(request) {
            Err(SubmitError::Invalid { field, message }) => {
                assert!(message.contains(field), "{message}");
                field
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_context_is_the_edge() {
        let admit = |prompt, max| admission(64, 1000).admit(&request(prompt, max));
        assert_eq!(admit(10, None), Ok(64));
        assert_eq!(admit(10, Some(5)), Ok(15));
        assert_eq!(admit(10, Some(u32::MAX)), Ok(64));
        assert_eq!(admit(63, None), Ok(64));
        for prompt in [64, 65] {
            let refused = Err(SubmitError::PromptTooLong { prompt, context: 64 });
            assert_eq!(admit(prompt, None), refused);
            assert_eq!(admit(prompt, Some(1)), refused);
        }
        assert_eq!(admit(64, Some(0)), Ok(64));
        assert!(admit(65, Some(0)).is_err());
    }

    #[test]
    fn what_the_cache_can_never_hold_is_refused_d1() {
        let admit = |prompt, max| admission(64, 49).admit(&request(prompt, max));
        assert_eq!(admit(10, None), Ok(49));
        assert_eq!(admit(10, Some(39)), Ok(49));
        let Err(SubmitError::Invalid { field: "max_tokens", message }) = admit(10, Some(40)) else {
            panic!("refused");
        };
        assert!(message.contains("at most 39"), "{message}");
        assert_eq!(admit(49, None), Err(SubmitError::PromptTooLong { prompt: 49, context: 49 }));
    }

    #[test]
    fn a_text_for_a_vector_may_fill_the_context_and_the_cache() {
        let admit = |tokens, largest| admission(64, largest).admit_text(&vec![1; tokens]);
        assert_eq!(admit(64, 1000), Ok(65));
        assert_eq!(admit(65, 1000), Err(SubmitError::TextTooLong { tokens: 65, most: 64 }));
        assert_eq!(admit(48, 49), Ok(49));
        assert_eq!(admit(49, 49), Err(SubmitError::TextTooLong { tokens: 49, most: 48 }));
        assert!(admit(0, 1000).is_err());
        assert!(admission(64, 1000).admit_text(&[100]).is_err());
    }

    #[test]
    fn ids_outside_the_vocabulary_are_refused_c17_c19() {
        let good = request(4, None);
        let bias =
            |id| SamplingParams { logit_bias: vec![(id, -100.0)], ..SamplingParams::greedy() };
        assert!(
            admission(64, 1000)
                .admit(&GenerateRequest { sampling: bias(99), ..good.clone() })
                .is_ok()
        );
        let bad = GenerateRequest { sampling: bias(100), ..good.clone() };
        assert_eq!(refused_field(&bad), "logit_bias");
        let bad = GenerateRequest { stop_ids: vec![1, 191_222], ..good.clone() };
        assert_eq!(refused_field(&bad), "stop_ids");
        let bad = GenerateRequest { prompt: vec![1, 100], ..good };
        assert_eq!(refused_field(&bad), "prompt");
    }

    #[test]
    fn counts_that_contradict_are_refused() {
        assert_eq!(refused_field(&request(0, None)), "prompt");
        let bad = GenerateRequest { min_tokens: 4, ..request(1, Some(3)) };
        assert_eq!(refused_field(&bad), "min_tokens");
        let bad = GenerateRequest { logprobs: Some(101), ..request(1, None) };
        assert_eq!(refused_field(&bad), "logprobs");
    }

    #[test]
    fn each_sampling_value_is_checked_by_name() {
        let greedy = SamplingParams::greedy;
        let bad = [
            ("temperature", SamplingParams { temperature: -0.1, ..greedy() }),
            ("temperature", SamplingParams { temperature: f32::NAN, ..greedy() }),
            ("top_p", SamplingParams { top_p: 1.1, ..greedy() }),
            ("min_p", SamplingParams { min_p: -0.5, ..greedy() }),
            ("repetition_penalty", SamplingParams { repetition_penalty: 0.0, ..greedy() }),
            ("presence_penalty", SamplingParams { presence_penalty: f32::INFINITY, ..greedy() }),
            ("frequency_penalty", SamplingParams { frequency_penalty: f32::NAN, ..greedy() }),
            ("logit_bias", SamplingParams { logit_bias: vec![(1, f32::NAN)], ..greedy() }),
        ];
        for (field, sampling) in bad {
            assert_eq!(refused_field(&GenerateRequest { sampling, ..request(1, None) }), field);
        }
    }
}
