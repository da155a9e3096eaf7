//! The little of Markdown that the tests read: tables, code spans, links.

/// The rows of the table whose header's first cell is `first_header`, each cell trimmed.
pub fn table(text: &str, first_header: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut lines =
        text.lines().skip_while(|line| !line.starts_with('|') || cells(line)[0] != first_header);
    assert!(lines.next().is_some(), "no table starts with a column '{first_header}'");
    lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// Every `code span` outside fenced blocks, with its line's number.
pub fn code_spans(text: &str) -> Vec<(usize, String)> {
    prose_lines(text)
        .flat_map(|(number, line)| {
            line.split('`')
                .skip(1)
                .step_by(2)
                .map(move |span| (number, span.to_owned()))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Every target of a `[text](target)` link outside fenced blocks, with its line's number.
pub fn links(text: &str) -> Vec<(usize, String)> {
    prose_lines(text)
        .flat_map(|(number, line)| {
            line.split("](")
                .skip(1)
                .filter_map(move |rest| {
                    rest.split_once(')').map(|(target, _)| (number, target.to_owned()))
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            return None;
        }
        (!fenced).then_some((index + 1, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Intro `a/b` and [c](d.md).\n```\n`not this` [nor](this)\n```\n| Crate | May use |\n|---|---|\n| `x` | |\n| `y` | `x` |\n\nrest";

    #[test]
    fn reads_tables_spans_and_links() {
        assert_eq!(table(TEXT, "Crate"), [["`x`", ""], ["`y`", "`x`"]]);
        let spans: Vec<_> =
            code_spans(TEXT).into_iter().map(|(number, span)| format!("{number} {span}")).collect();
        assert_eq!(spans, ["1 a/b", "7 x", "8 y", "8 x"]);
        assert_eq!(links(TEXT), [(1, "d.md".to_owned())]);
    }
}
