//! What a client sees of one answer: where it ends, and its text.

use std::sync::Arc;

use crate::common;
use crate::common::{ask, assert_all_free, limits, prompt, start, start_with};
use tyto_engine::testing::{
    END, TableExecutor, byte_text_model, certain, text_model_with, text_sources,
};
use tyto_engine::{
    Engine, EngineConfig, ExecutorLimits, FinishReason, GenerateRequest, SamplingParams,
    SubmitError,
};
use tyto_text::TextModel;

/// Answers every prompt with `text`, a byte a token, and then ends it.
fn says(text: &str) -> Engine {
    let ids = text.bytes().map(u32::from).chain([END]).collect();
    start(TableExecutor::script(limits(), ids)).0
}

/// Answers with pieces, each one token, and then ends.
fn says_pieces(pieces: &[&[u8]]) -> Engine {
    let text = text_model_with(pieces, None);
    let limits = ExecutorLimits { vocab_size: text.vocab_size(), ..limits() };
    let ids = (END + 1..).take(pieces.len()).chain([END]).collect();
    start_with(text, EngineConfig::new("test"), TableExecutor::script(limits, ids)).0
}

fn stopping_at(stops: &[&str]) -> GenerateRequest {
    let stop_strings = stops.iter().map(|&stop| stop.to_owned()).collect();
    GenerateRequest { stop_strings, ..prompt("#") }
}

#[test]
fn an_answer_in_one_piece_is_told_once_and_says_the_same() {
    // Pieces that are no characters by themselves, and a stop string that begins in a text before it shows.
    let engine = says_pieces(&[b"aa", b"a\xc3", b"\xa9b", b"bb", b"st", b"op"]);
    for request in [prompt("#"), stopping_at(&["stop"]), stopping_at(&["\u{e9}bb"])] {
        let pieces = ask(&engine, &request);
        let whole = ask(&engine, &GenerateRequest { in_one_piece: true, ..request });
        assert!(pieces.pieces.len() > 2, "told as it comes");
        assert_eq!(whole.pieces.len(), 2, "tokens, and the end");
        assert_eq!(whole.text(), pieces.text());
        assert_eq!((whole.reason(), &whole.tokens), (pieces.reason(), &pieces.tokens));
    }
    assert_all_free(&engine);
}

#[test]
fn max_tokens_is_exact_c11() {
    let engine = says("abcdef");
    for n in 0..=3 {
        let answer = ask(&engine, &GenerateRequest { max_tokens: Some(n), ..prompt("##") });
        assert_eq!(answer.text(), "abcdef"[..n as usize]);
        assert_eq!(answer.reason(), FinishReason::Length);
        assert_eq!((answer.usage.prompt_tokens, answer.usage.completion_tokens), (2, n));
    }
    assert_eq!(engine.stats().generated_tokens, 6);
    assert_all_free(&engine);
}

#[test]
fn without_a_limit_an_answer_ends_at_the_end_of_text() {
    let answer = ask(&says("abc"), &prompt("#"));
    assert_eq!((answer.text().as_str(), answer.reason()), ("abc", FinishReason::Stop));
    let end = answer.tokens.last().expect("there are tokens");
    assert_eq!((end.id, end.text.as_str()), (END, ""), "counted and delivered, without text");
}

#[test]
fn the_end_of_text_at_the_last_token_is_a_stop() {
    let engine = says("abc");
    let reason = |max| ask(&engine, &GenerateRequest { max_tokens: Some(max), ..prompt("#") });
    assert_eq!(reason(3).reason(), FinishReason::Length);
    assert_eq!(reason(4).reason(), FinishReason::Stop);
}

#[test]
fn every_end_of_text_id_ends_the_answer_a44() {
    let mut sources = text_sources(&[b"done"]);
    sources.generation_config = serde_json::json!({"eos_token_id": [1, 257]});
    let text = Arc::new(TextModel::from_sources(&sources).expect("it is valid"));
    let limits = ExecutorLimits { vocab_size: text.vocab_size(), ..limits() };
    for id in [1, 257, END] {
        let executor = TableExecutor::script(limits, vec![u32::from(b'a'), id]);
        let (engine, _) = start_with(text.clone(), EngineConfig::new("test"), executor);
        let answer = ask(&engine, &prompt("#"));
        assert_eq!((answer.text().as_str(), answer.reason()), ("a", FinishReason::Stop));
    }
}

/// The table wants `a` after everything, and `b` nearly as much (E12).
#[test]
fn penalties_know_the_prompt_and_the_answer_e12() {
    let executor = TableExecutor::new(limits(), |_| {
        let mut logits = vec![0.0; limits().vocab_size];
        logits[usize::from(b'a')] = 10.0;
        logits[usize::from(b'b')] = 9.9;
        logits
    });
    let (engine, _) = start(executor);
    let greedy = SamplingParams::greedy;
    let repetition = SamplingParams { repetition_penalty: 1.1, ..greedy() };
    let presence = SamplingParams { presence_penalty: 0.2, ..greedy() };
    let frequency = SamplingParams { frequency_penalty: 0.06, ..greedy() };
    let table = [
        (greedy(), "a", "aaaa"),
        (repetition.clone(), "a", "baaa"),
        (repetition, "x", "abaa"),
        (presence, "a", "abaa"),
        (frequency, "a", "aaba"),
    ];
    for (sampling, text, expected) in table {
        let request = GenerateRequest { max_tokens: Some(4), sampling, ..prompt(text) };
        assert_eq!(ask(&engine, &request).text(), expected, "{request:?}");
    }
}

#[test]
fn stop_ids_end_the_answer_without_their_text() {
    let request = GenerateRequest { stop_ids: vec![u32::from(b'c')], ..prompt("#") };
    let answer = ask(&says("abcd"), &request);
    assert_eq!((answer.text().as_str(), answer.reason()), ("ab", FinishReason::Stop));
}

#[test]
fn ignore_eos_goes_on_and_stop_ids_still_end() {
    let executor = || {
        TableExecutor::table(limits(), |token| match token {
            END => u32::from(b'x'),
            120 => u32::from(b'y'),
            _ => END,
        })
    };
    let request = GenerateRequest { ignore_eos: true, ..prompt("#") };
    let request = GenerateRequest { max_tokens: Some(5), ..request };
    let answer = ask(&start(executor()).0, &request);
    assert_eq!(answer.ids(), [END, 120, 121, END, 120]);
    assert_eq!((answer.text().as_str(), answer.reason()), ("xyx", FinishReason::Length));
    let request = GenerateRequest { stop_ids: vec![END], ..request };
    assert_eq!(ask(&start(executor()).0, &request).ids(), [END]);
}

#[test]
fn the_first_min_tokens_end_nothing() {
    // The model wants to end at once, and would say `b` next.
    let executor = TableExecutor::new(limits(), |_| {
        let mut logits = certain(limits().vocab_size, END);
        logits[usize::from(b'b')] = 20.0;
        logits
    });
    let (engine, _) = start(executor);
    for min_tokens in [0, 1, 3] {
        let request = GenerateRequest { min_tokens, ..prompt("#") };
        let answer = ask(&engine, &request);
        assert_eq!(answer.text(), "b".repeat(min_tokens as usize));
        assert_eq!(answer.reason(), FinishReason::Stop);
    }
    let request = GenerateRequest { min_tokens: 3, ..stopping_at(&["b"]) };
    let answer = ask(&engine, &request);
    assert_eq!((answer.text().as_str(), answer.reason()), ("bbb", FinishReason::Stop));
}

#[test]
fn characters_come_out_whole_b16() {
    let answer = ask(&says("a😀щё."), &prompt("#"));
    let pieces: Vec<&str> = answer.pieces.iter().map(String::as_str).collect();
    assert_eq!(pieces, ["a", "", "", "", "😀", "", "щ", "", "ё", ".", "", ""]);
}

#[test]
fn an_answer_cut_in_a_character_equals_the_full_decode_b16() {
    let engine = says("a😀щё.");
    for max_tokens in 0..=10 {
        let request = GenerateRequest { max_tokens: Some(max_tokens), ..prompt("#") };
        let answer = ask(&engine, &request);
        assert_eq!(answer.text(), byte_text_model().decode(&answer.ids(), true));
    }
}

#[test]
fn a_prompt_may_end_inside_a_character_b17() {
    let whole = "歪".as_bytes();
    let cut = GenerateRequest::new(vec![u32::from(whole[0]), u32::from(whole[1])]);
    assert_eq!(ask(&says("ok"), &cut).text(), "ok");
}

#[test]
fn a_space_does_not_flush_a_pending_character_b19() {
    let answer = ask(&says_pieces(&[b"a\xd1", b" x", b"y\xd1", b"\x89z"]), &prompt("#"));
    assert_eq!(answer.text(), "a\u{fffd} xyщz");
}

#[test]
fn stop_strings_across_tokens_do_not_leak_b23() {
    let text = b"The quick brown fox jumps";
    let start = 12; // "own fo"
    for first in start..=start + 6 {
        for second in first..=start + 6 {
            let parts = [&text[..first], &text[first..second], &text[second..]];
            // One byte has its own id already.
            let pieces: Vec<&[u8]> = parts.into_iter().filter(|part| part.len() > 1).collect();
            if pieces.concat() != text {
                continue;
            }
            let answer = ask(&says_pieces(&pieces), &stopping_at(&["own fo", "zzzz"]));
            assert_eq!(answer.text(), "The quick br", "{pieces:?}");
            assert_eq!(answer.reason(), FinishReason::Stop);
        }
    }
}

#[test]
fn text_held_for_a_stop_string_comes_out_at_the_end_b24() {
    // By the end of text right after the held token, and by the length.
    let answer = ask(&says("Who are you?"), &stopping_at(&["?x"]));
    assert_eq!(answer.text(), "Who are you?");
    assert_eq!(answer.pieces.last().map(String::as_str), Some("?"));
    let request = GenerateRequest { max_tokens: Some(3), ..stopping_at(&["ho!"]) };
    assert_eq!(ask(&says("Who are you?"), &request).text(), "Who");
}

#[test]
fn nothing_after_a_stop_string_leaks_b25() {
    let pieces: [&[u8]; 5] = [b"one, two,", b" three, four, five,", b" six, ", b"seven", b" ..."];
    let answer = ask(&says_pieces(&pieces), &stopping_at(&["five"]));
    assert_eq!(answer.text(), "one, two, three, four, ");
    assert_eq!(answer.usage.completion_tokens, 2);
}

#[test]
fn stop_strings_count_from_min_tokens_on() {
    let request = GenerateRequest { min_tokens: 3, ..stopping_at(&["b"]) };
    assert_eq!(ask(&says("abcabc"), &request).text(), "abca");
}

/// A model without an end, and a context of 16.
fn endless() -> Engine {
    let limits = ExecutorLimits { context_length: 16, ..limits() };
    start(TableExecutor::table(limits, |token| (token + 1) % 256)).0
}

#[test]
fn the_context_edge_finishes_with_length_d16() {
    let engine = endless();
    for length in [1, 3, 4, 5, 14, 15] {
        for max_tokens in [None, Some(1000)] {
            let request = GenerateRequest { max_tokens, ..prompt(&"#".repeat(length)) };
            let answer = ask(&engine, &request);
            let first = u32::from(b'#') + 1;
            let expected: Vec<u32> = (first..).take(16 - length).collect();
            assert_eq!(answer.ids(), expected, "each token once");
            assert_eq!(answer.reason(), FinishReason::Length);
        }
    }
    assert_all_free(&engine);
}

#[test]
fn prompts_around_the_context_leave_the_engine_well_d17() {
    let engine = endless();
    let submit = |length: usize| engine.submit(prompt(&"#".repeat(length)));
    let edge = common::collect(submit(15).expect("one token fits"));
    assert_eq!((edge.tokens.len(), edge.reason()), (1, FinishReason::Length));
    for prompt in [16, 17, 10_000] {
        let refused = submit(prompt).expect_err("no token fits");
        assert_eq!(refused, SubmitError::PromptTooLong { prompt, context: 16 });
    }
    assert_eq!(ask(&engine, &prompt("#")).tokens.len(), 15);
    assert_all_free(&engine);
}

#[test]
fn log_probabilities_are_of_the_raw_distribution_c31_c32_c33() {
    let (engine, _) = start(TableExecutor::history_hash(limits(), 5));
    let plain = GenerateRequest { logprobs: Some(4), max_tokens: Some(20), ..prompt("#") };
    let answer = ask(&engine, &plain);
    for token in &answer.tokens {
        assert_eq!(token.top.len(), 4);
        assert!(token.top.is_sorted_by(|a, b| a.2 >= b.2));
        assert_eq!((token.top[0].0, Some(token.top[0].2)), (token.id, token.logprob));
    }
    // The same tokens by other means have the same log probabilities.
    let sampling =
        SamplingParams { top_p: 0.0, min_p: 0.5, temperature: 3.0, ..plain.sampling.clone() };
    let other = ask(&engine, &GenerateRequest { sampling, ..plain.clone() });
    assert_eq!(answer.tokens, other.tokens);
    // None asked for: none given. Zero alternatives: the token's own.
    let none = ask(&engine, &GenerateRequest { logprobs: None, ..plain.clone() });
    assert!(none.tokens.iter().all(|token| token.logprob.is_none() && token.top.is_empty()));
    let zero = ask(&engine, &GenerateRequest { logprobs: Some(0), ..plain });
    assert!(zero.tokens.iter().all(|token| token.logprob.is_some() && token.top.is_empty()));
}

#[test]
fn times_are_in_order() {
    let usage = ask(&says("abc"), &prompt("#")).usage;
    assert!(usage.prefill_seconds > 0.0);
    assert!(usage.time_to_first_token >= usage.prefill_seconds);
    assert!(usage.decode_seconds > 0.0);
}
