//! Any bytes as a model file: header, stream, configuration, tokenizer and chat template end in answers or errors, soon.
//! The first byte says how large the pieces are in which the rest comes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_gguf::{
    ChatTemplate, Detokenizer, Error, Header, Message, ModelConfig, Reader, Special, TensorSink, TokenKind, Tokenizer,
};

fuzz_target!(|data: &[u8]| {
    let Some((&size, file)) = data.split_first() else { return };
    let mut sink = Sink::default();
    let Ok(header) = read(file, 1 + usize::from(size) * 16, &mut sink) else { return };
    // A file that ended well has given all of each tensor.
    for (tensor, &bytes) in header.tensors.iter().zip(&sink.seen) {
        assert_eq!(tensor.bytes, bytes, "{}", tensor.name);
    }
    assert!(header.file_bytes() <= file.len() as u64 && header.tensor_bytes() <= file.len() as u64);
    if let Ok(config) = ModelConfig::from_header(&header) {
        assert!(config.heads.is_multiple_of(config.kv_heads) && config.head_dim.is_multiple_of(2));
        assert_eq!(config.needed().count(), header.tensors.len());
    }
    if let Ok(tokenizer) = Tokenizer::from_header(&header) {
        check_tokenizer(&header, &tokenizer);
    }
});

/// Counts what comes, and checks that it comes in order.
#[derive(Default)]
struct Sink {
    seen: Vec<u64>,
}

impl TensorSink for Sink {
    type Error = Error;

    fn begin(&mut self, header: &Header) -> Result<(), Error> {
        self.seen = vec![0; header.tensors.len()];
        Ok(())
    }

    fn bytes(&mut self, tensor: usize, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        assert_eq!(self.seen[tensor], offset);
        self.seen[tensor] += bytes.len() as u64;
        Ok(())
    }
}

fn read(file: &[u8], size: usize, sink: &mut Sink) -> Result<Header, Error> {
    let mut reader = Reader::new();
    for piece in file.chunks(size) {
        reader.feed(piece, sink)?;
    }
    reader.finish(sink)
}

fn check_tokenizer(header: &Header, tokenizer: &Tokenizer) {
    let text = "The  quick\n\n brown föx's 日本 👍🏽 123 <|im_end|></s>e\u{301}\u{fffd}";
    let tokens = tokenizer.encode(text, Special::Plain);
    for &token in &tokens {
        let kind = tokenizer.kind(token).expect("a token of the vocabulary");
        assert!(!matches!(kind, TokenKind::Control | TokenKind::UserDefined), "plain text became {token}");
    }
    let mut detokenizer = Detokenizer::new();
    let streamed: String = tokens.iter().map(|&token| detokenizer.push(tokenizer, token)).collect();
    assert_eq!(streamed + &detokenizer.finish(), tokenizer.decode(&tokens));
    let _ = tokenizer.encode(text, Special::Parse);
    let prompt = ChatTemplate::from_header(header, tokenizer).prompt(&[Message::user(text)], true);
    let _ = prompt.map(|prompt| tokenizer.encode_prompt(&prompt));
}
