//! Writing JSON, as much of it as the page reads.

/// A text in quotes.
pub fn text(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            control if u32::from(control) < 0x20 => json.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

/// A list of values that are JSON already.
pub fn list(values: impl IntoIterator<Item = String>) -> String {
    let values: Vec<_> = values.into_iter().collect();
    format!("[{}]", values.join(","))
}

/// An object of values that are JSON already.
pub fn object<const N: usize>(fields: [(&str, String); N]) -> String {
    let fields = fields.map(|(name, value)| format!("{}:{value}", text(name)));
    format!("{{{}}}", fields.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_values_nested() {
        assert_eq!(text("a\"b\\c\nd é"), r#""a\"b\\c\u000ad é""#);
        let inner = list([1, 2].map(|number| number.to_string()));
        assert_eq!(object([("a", inner), ("b", text(""))]), r#"{"a":[1,2],"b":""}"#);
        assert_eq!(list([]), "[]");
    }
}
