// Misspelt questions: one content word of each, with one random edit. The same question always gets the same edit.

import { isStopWord } from "./keywords.mjs";

/** Letters that a word must have to be misspelt. */
const LEAST_LETTERS = 5;

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** What may happen to a word at a place; each gives the word back changed or, by chance, as it was. */
const EDITS = [
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at),
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at + 1),
  (word, at) => word.slice(0, at) + (word[at + 1] ?? "") + word[at] + word.slice(at + 2),
];

/** `question` with a misspelt word, or as it is where no word is long enough. */
export function misspelt(question) {
  const random = generator(question);
  const words = [...question.matchAll(/[A-Za-z]+/g)].filter(
    ([word]) => word.length >= LEAST_LETTERS && !isStopWord(word),
  );
  if (words.length === 0) return question;
  const { 0: word, index } = words[below(words.length, random)];
  return question.slice(0, index) + edited(word, random) + question.slice(index + word.length);
}

function edited(word, random) {
  for (;;) {
    const edit = EDITS[below(EDITS.length, random)];
    const changed = edit(word, below(word.length, random), ALPHABET[below(ALPHABET.length, random)]);
    if (changed.toLowerCase() !== word.toLowerCase()) return changed;
  }
}

function below(limit, random) {
  return Math.floor(random() * limit);
}

/** Numbers from 0 up to 1 that depend on `seed` alone: FNV-1a, then mulberry32. */
function generator(seed) {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seed)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
