//! From the bytes of a file to text, whatever encoding it is in.

use std::borrow::Cow;

use encoding_rs::Encoding;

/// The text of a file of game records, and whether it was in UTF-8.
///
/// In order: a byte order mark; UTF-8 where the bytes are; the encoding that the first `CA` names, if the bytes fit it; a guess by the
/// frequency of characters. `CA` does not come first, because programs write it without keeping to it. One encoding holds for the whole file.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return (text, encoding == encoding_rs::UTF_8);
    }
    // ISO-2022 is made of ASCII bytes, escapes among them.
    let seven_bit_codes = bytes.contains(&0x1B);
    if !seven_bit_codes && let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), true);
    }
    let named = named_encoding(bytes).filter(|&encoding| encoding != encoding_rs::UTF_8);
    if let Some(text) = named.and_then(|encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes)) {
        return (text, false);
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, chardetng::Utf8Detection::Deny);
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    (text, false)
}

/// What the first `CA` property names, if it is an encoding.
fn named_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let at = bytes.windows(3).position(|window| window == b"CA[")? + 3;
    let value = &bytes[at..];
    let end = value.iter().take(40).position(|&byte| byte == b']')?;
    Encoding::for_label(&value[..end])
}
