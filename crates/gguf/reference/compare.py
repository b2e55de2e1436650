#!/usr/bin/env python3
"""Compares token ids with those of the Python package `tokenizers`, on some thousand generated texts.

    compare.py PROGRAM MODEL.gguf

PROGRAM is the built example `tokens`. The reference is put together from the vocabulary and merges in the model file,
with normaliser and pre-tokenizer as the models' authors publish them. Exits with 1 where an id differs.
"""

import random
import struct
import subprocess
import sys
import unicodedata

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}


def metadata(path):
    data = open(path, "rb").read(16 << 20)
    at = 24

    def read(form):
        nonlocal at
        (value,) = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
        return value

    def text():
        nonlocal at
        length = read("<Q")
        at += length
        return data[at - length : at].decode()

    def value(code):
        if code == 8:
            return text()
        if code == 9:
            inner, count = read("<I"), read("<Q")
            return [value(inner) for _ in range(count)]
        return read(NUMBERS[code])

    (count,) = struct.unpack_from("<Q", data, 16)
    return {text(): value(read("<I")) for _ in range(count)}


def reference(values, special):
    tokens, kinds = values["tokenizer.ggml.tokens"], values["tokenizer.ggml.token_type"]
    merges = [tuple(merge.split(" ", 1)) for merge in values["tokenizer.ggml.merges"]]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=values["tokenizer.ggml.pre"] == "smollm")
    if values["tokenizer.ggml.pre"] == "smollm":
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), level])
    else:
        split = pre_tokenizers.Split(Regex(QWEN), behavior="isolated")
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, level])
        tokenizer.normalizer = normalizers.NFC()
    if special:
        named = [AddedToken(token, normalized=False, special=kind == 3) for token, kind in zip(tokens, kinds) if kind in (3, 4)]
        tokenizer.add_special_tokens([token for token in named if token.special])
        tokenizer.add_tokens([token for token in named if not token.special])
    return tokenizer


# First and last code point of a script's block, or of signs.
BLOCKS = [
    (0x20, 0x7E), (0x20, 0x7E), (0xA0, 0xFF), (0x100, 0x24F), (0x250, 0x2FF), (0x300, 0x36F), (0x370, 0x3FF),
    (0x400, 0x4FF), (0x530, 0x58F), (0x590, 0x5FF), (0x600, 0x6FF), (0x700, 0x74F), (0x780, 0x7BF), (0x900, 0x97F),
    (0x980, 0x9FF), (0xA00, 0xA7F), (0xB80, 0xBFF), (0xC00, 0xC7F), (0xD00, 0xD7F), (0xE00, 0xE7F), (0xE80, 0xEFF),
    (0xF00, 0xFFF), (0x1000, 0x109F), (0x10A0, 0x10FF), (0x1100, 0x11FF), (0x1200, 0x137F), (0x13A0, 0x13FF),
    (0x1780, 0x17FF), (0x1800, 0x18AF), (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x209F),
    (0x20A0, 0x20CF), (0x2100, 0x214F), (0x2150, 0x218F), (0x2190, 0x22FF), (0x2460, 0x24FF), (0x2500, 0x25FF),
    (0x2600, 0x27BF), (0x2E80, 0x2FDF), (0x3000, 0x303F), (0x3040, 0x309F), (0x30A0, 0x30FF), (0x3200, 0x33FF),
    (0x4E00, 0x9FFF), (0xA000, 0xA48F), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFB00, 0xFB4F), (0xFB50, 0xFDFF),
    (0xFE00, 0xFE0F), (0xFF00, 0xFFEF), (0x10330, 0x1034A), (0x10400, 0x1044F), (0x12000, 0x123FF), (0x1D400, 0x1D7FF),
    (0x1F100, 0x1F1FF), (0x1F300, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F900, 0x1F9FF), (0x20000, 0x2A6DF),
]
WORDS = (
    "the The answer isn't ISN'T we'll WE'Ll they've I'm he'd it's IT'S 'ſ ſ's can't'd don''t x'tree 're're naïve "
    "Straße größer Übung café cafe\u0301 Å A\u030a ﬁne ½ Ⅳ ① Ⓐ ² x² 3.14159 1,000,000 2024-05-17 0x1F 007 ١٢٣ १२३ "
    "мир Москва 日本語 日本 東京都 中文 한국어 한글 ภาษาไทย हिन्दी क्षि العربية עברית Ελληνικά ქართული አማርኛ தமிழ் "
    "👍 👍🏽 👨‍👩‍👧‍👦 🇩🇪 ❤️ 🏳️‍🌈 <|im_start|> <|im_end|> <|endoftext|> <tool_call> <|im_ start|> def return self.x "
    "fn main() { let x = &mut y; } for(int i=0;i<n;i++) #include <stdio.h> </div> &amp; https://a.b/c?d=e&f=%20 "
    "\\n \\t {{x}} [[link]] **bold** `code` --- === !== != >= ->> :: ... … — « » “q” ‘q’"
).split(" ")
SPACES = [" ", " ", " ", " ", "", "  ", "   ", "\n", "\n\n", "\r\n", "\t", "\t\t", " \n ", "\n  ", "\u00a0", "\u3000", "\u2028", "\x0b", "\x85", " \r", "\u200b"]


def made_texts(count):
    chance = random.Random(20240517)
    texts = ["", " ", "  ", "\n", " \n", "a", "'", "''", "'s", " 's", "a" * 3000, " " * 500, "\n" * 100, "12345" * 50, "ab" * 700]
    texts += [chr(code) for code in (0x301, 0xAD, 0x200D, 0xFEFF, 0xFFFD, 0x1F600, 0x10FFFF, 0xE000, 0x345, 0x2160)]
    while len(texts) < count:
        kind = chance.randrange(6)
        if kind == 0:  # one script
            first, last = chance.choice(BLOCKS)
            letters = [chr(chance.randint(first, last)) for _ in range(chance.randint(1, 60))]
            texts.append("".join(letter if chance.random() > 0.15 else chance.choice(SPACES) for letter in letters))
        elif kind == 1:  # all scripts
            texts.append("".join(chr(chance.randint(*chance.choice(BLOCKS))) for _ in range(chance.randint(1, 60))))
        elif kind == 2:  # broken UTF-8, as it is once it has been read
            raw = bytearray("".join(chance.choice(WORDS) for _ in range(12)).encode())
            for _ in range(chance.randint(1, 6)):
                raw[chance.randrange(len(raw))] = chance.randrange(256)
            texts.append(raw.decode("utf-8", "replace"))
        elif kind == 3:  # any code point
            codes = [chance.choice([chance.randrange(0x110000), chance.randrange(0x3000)]) for _ in range(30)]
            texts.append("".join(chr(code) for code in codes if not 0xD800 <= code < 0xE000))
        else:  # words
            texts.append("".join(chance.choice(WORDS) + chance.choice(SPACES) for _ in range(chance.randint(1, 40))))
    # Characters newer than either side's Unicode tables have no settled class. U+0EBA got its combining class in
    # Unicode 12; the package's tables are older, and put it in another order among other signs.
    known = lambda text: "".join(c for c in text if c not in "\0\u0eba" and unicodedata.category(c) != "Cn")
    return [known(text) for text in texts]


def main():
    program, path = sys.argv[1:]
    values = metadata(path)
    texts = made_texts(3000)
    wrong = 0
    for mode in ("plain", "special"):
        expected = [encoding.ids for encoding in reference(values, mode == "special").encode_batch(texts)]
        done = subprocess.run([program, path, mode], input="\0".join(texts).encode(), capture_output=True, check=True)
        found = [[int(number) for number in line[1:-1].split(",") if number] for line in done.stdout.decode().splitlines()]
        assert len(found) == len(texts), f"{len(found)} lines for {len(texts)} texts"
        differing = [(text, a, b) for text, a, b in zip(texts, expected, found) if a != b]
        for text, a, b in differing[:10]:
            print(f"{mode} {text!r}\n  expected {a}\n  found    {b}")
        print(f"{mode}: {len(texts) - len(differing)} of {len(texts)} texts, {sum(map(len, expected))} tokens")
        wrong += len(differing)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
