// A question without the words that carry no meaning, as a person would type it into a search box.
//
// Engines without stop words of their own do better on it; it is reported beside the question as asked.

const STOP_WORDS = new Set(
  (
    "a about all also am an and any are as at be because been but by can could did do does doing don't for from get " +
    "gets got had has have having he her his how i i'm if in into is isn't it it's its just me my no not of on or " +
    "our she should so some than that the their them then there they this to too up us was we were what what's when " +
    "where which while who whom why will with without won't would you your"
  ).split(" "),
);

/** Whether `word` is a stop word, whatever its case and the punctuation around it. */
export function isStopWord(word) {
  return STOP_WORDS.has(word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
}

/** `question` without stop words, in the same order. */
export function keywords(question) {
  return question
    .split(/\s+/)
    .filter((word) => !isStopWord(word))
    .join(" ");
}
