// Questions that go on from the last one, made whole by rules: pronouns stand for what that one was about, "What about X?"
// puts X in its place, "And in Japan?" adds to it. English alone; where no rule fits, the words stay as they are.

/** Pronouns for things and people, by their place in a sentence. */
const SUBJECTS = new Set(["it", "they", "he", "she", "them", "him", "this", "that", "these", "those"]);
const OWNERS = new Set(["its", "their", "his", "her"]);
/** "This" and "that" before a word of their own point at that word, and "that" may begin a clause. */
const POINTERS = new Set(["this", "that", "these", "those"]);
/** What stands before "that" where it stands for something. */
const BEFORE_POINTER = /^(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|of|about|for|with|by|from|to|in|on)$/;
/** Words that hold no subject of their own, so that a pronoun behind them means an earlier one. */
const EMPTY = new Set(("what who whom whose which when where why how is are was were be been being am do does did done has have had can could will would shall should may might must " +
  "and or but so then also now not no n't long much many often old big large far the a an of in on at by for with about to from into than as if there here " +
  "i you we me us my your our please tell explain say give show more else other too only still ever really exactly actually mean means called work works used use using it its they them their he him his she her this that these those " +
  "first last best main most make makes made get gets got").split(" "));
/** Words that begin another clause, in which a pronoun means what the clause before named. */
const CLAUSE = new Set("and or but while because if when that which who so although though whereas after before since".split(" "));
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
/** What is between quotation marks or code marks; an apostrophe inside or behind a word begins none. */
const QUOTE = /"[^"]*"|`[^`]*`|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’|「[^」]*」|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;
/** The end of what a sentence begins behind, where a capital tells nothing. */
const OPENING = /(?:^|[.?!…:(])\s*$/;
/** What the rules read in the place of a word that is written as a name. */
const NAME = "name";
const ARTICLE = /\b(?:an?|the)\s+$/i;
const PREPOSITION = /^(?:in|on|at|by|for|with|without|from|to|under|over|during|before|after|since|until|through|against|between|among|as|inside|outside)\s/i;
const BARE = /^(?:why|how|when|where|who|how so|how come|since when|which|what for|why not|really|are you sure)$/i;
const MORE = /^(?:(?:please )?(?:tell me|say|give me|show me|explain)(?: (?:some|any))? more|more|more details?|more please|go on|continue|and then|what else|anything else)$/i;
/** What one may say of doing something. */
const TO_JUDGE = "safe|safer|legal|illegal|lawful|allowed|forbidden|better|best|good|bad|worse|healthy|healthier|unhealthy|harmful|dangerous|risky|normal|common|usual|rare|rude|polite|ok|okay|fine|" +
  "right|wrong|wise|smart|useful|useless|important|necessary|essential|advisable|possible|impossible|hard|harder|easy|easier|difficult|cheap|cheaper|expensive|fast|faster|enough|ethical|moral|haram|halal";
/** What follows a verb and is not what is done something to. */
const NO_OBJECT = "in|on|at|by|for|with|without|from|to|under|over|during|before|after|since|until|through|against|between|among|as|inside|outside|and|or|every|each|daily|when|while|if|" +
  "it|them|him|her|(?:raw|cold|hot|alone|there|here|now|today|again|too|first)$";
/** "It is safe to eat raw eggs", "is it better to fry or to boil an egg": the object behind "to" is what is safe; "safe to drink" has none. */
const WITH_OBJECT = new RegExp(`\\bit(?:['’]s)?\\s+(?:(?:is|was|be|not|always|ever|still|really|very|more|less|so)\\s+)*(?:${TO_JUDGE})\\s+(?:for\\s+[\\p{L}\\s]+?\\s)?` +
  `to\\s+[\\p{L}-]+\\s+(?:(?:and|or)\\s+(?:to\\s+)?[\\p{L}-]+\\s+)?(?!(?:${NO_OBJECT})\\b)\\p{L}`, "iu");
/** "Is it legal that", "what time is it in Tokyo". */
const OF_NOTHING = new RegExp(`\\bit\\s+(?:(?:is|was)\\s+)?(?:${TO_JUDGE})\\s+that\\s+\\p{L}|\\b(?:what|which)\\s+(?:time|day|date|month|year|season|weather)\\s+(?:is|was)\\s+it\\b`, "iu");
/** "It" that stands for nothing: "is it true that", "it takes long to". */
const PLEONASTIC = /\bit\s+(?:(?:true|possible|necessary|likely|known|clear|worth|a fact)\b.*\b(?:that|to|for)\b|(?:takes?|took|mean|means|matter|matters|seems?)\b.*\b(?:to|that|when|if)\b|(?:rain|snow)s?)/i;

/**
 * @typedef {{question: string, subjects: string[]}} Last what was asked before, and what it was about, in the reader's words
 * where they name it
 */

/** The question made whole; null where it stands on its own, or nothing is known that it could go on from. */
export function madeWhole(question, last) {
  const text = question.trim().replace(/[\s?!.…]+$/u, "");
  if (!last || last.subjects.length === 0 || text === "") {
    return null;
  }
  const rest = text.replace(/^(?:and|but|or|so|ok|okay|then|also)[\s,]+(?=\S)/i, "");
  const whole = bare(rest, last) ?? another(text, rest, last) ?? added(text, rest, last) ?? replaced(rest, last);
  return whole ? `${whole.charAt(0).toUpperCase()}${whole.slice(1)}${/[?!.]$/.test(whole) ? "" : "?"}` : null;
}

/** What an answer was about: for each part that was answered the words of the question that name its best page, else its title. */
export function subjectsOf({ question, sub_queries, sources }) {
  const titles = new Map(sources.map(({ page, title }) => [page, title]));
  const of = ({ text, pages }) => {
    const title = titles.get(pages[0]);
    return title && (spanOf(title, question) ?? spanOf(title, text) ?? title);
  };
  return [...new Set(sub_queries.filter(({ answered }) => answered).map(of).filter(Boolean))];
}

/** "Why?", "Tell me more": the last question, asked on. */
function bare(text, { question, subjects }) {
  if (MORE.test(text)) {
    return `Tell me more about ${listed(subjects)}.`;
  }
  return BARE.test(text) ? `${ended(question)} ${text}?` : null;
}

/** "What about X?", "And X?": the last question, of X. */
function another(text, rest, last) {
  const about = /^(?:what|how) about\s+(.+)$/i.exec(rest) ?? /^(?:and|or)\s+((?:the |an? )?[\p{L}\p{N}][^?]*)$/iu.exec(text);
  if (!about || PREPOSITION.test(about[1]) || endsWithPronoun(text, about[1])) {
    return null;
  }
  // "And how is …" is a question of its own, and so is all that has a verb that the rules know.
  const named = words(about[1]);
  if (!/^(?:what|how) about/i.test(rest) && (named.length > 4 || EMPTY.has(named[0].toLowerCase()) && !/^(?:the|an?)$/i.test(named[0]))) {
    return null;
  }
  const [subject] = last.subjects;
  const at = place(subject.replace(/^the /, ""), last.question);
  return last.subjects.length === 1 && at
    ? last.question.slice(0, at.start).replace(ARTICLE, "") + about[1] + last.question.slice(at.end)
    : `${last.question.replace(/[\s?!.]+$/, "")}, ${about[1]}`;
}

/** "And in Japan?", "What about in Japan?": the last question with that. */
function added(text, rest, { question }) {
  const more = /^(?:what|how) about\s+(.+)$/i.exec(rest)?.[1] ?? (text === rest ? "" : rest);
  if (!PREPOSITION.test(more) || words(more).length > 6 || endsWithPronoun(text, more)) {
    return null;
  }
  const [preposition] = words(more);
  const before = question.replace(/[\s?!.]+$/, "");
  // "How is tea grown in China?" goes on with "in Japan", not with both.
  const same = new RegExp(`\\s${preposition}(?:\\s+[\\p{L}\\p{N}'’-]+){1,4}$`, "iu");
  return `${before.replace(same, "")} ${more}`;
}

/** Pronouns that mean what the last question was about. */
function replaced(text, { subjects }) {
  if ([PLEONASTIC, WITH_OBJECT, OF_NOTHING].some((form) => form.test(text))) {
    return null;
  }
  const chosen = oneOf(text, subjects);
  if (chosen) {
    return chosen;
  }
  const at = pronounAt(withoutNames(text));
  if (at < 0) {
    return null;
  }
  let count = -1;
  // Said once, the name need not be said again.
  return text.replace(WORD, (word) => (++count === at ? standingIn(word, listed(subjects)) : word));
}

/** A name in the form of the pronoun that it takes the place of. */
function standingIn(pronoun, name) {
  return OWNERS.has(base(pronoun)) ? owner(name) : `${name}${/['’]s$/i.test(pronoun) ? " is" : ""}`;
}

/** "The former", "the second one". */
function oneOf(text, subjects) {
  if (subjects.length !== 2) {
    return null;
  }
  const whole = text.replace(/\bthe (?:former|first(?: one)?)\b/i, subjects[0]).replace(/\bthe (?:latter|second(?: one)?|last one)\b/i, subjects[1]);
  return whole === text ? null : whole;
}

/** Whether a pronoun stands in `end`, with which `text` ends. */
function endsWithPronoun(text, end) {
  return pronounAt(withoutNames(text).slice(-words(end).length)) >= 0;
}

/** The words of `text`, with `NAME` for each that is a pronoun but for how it is written: "IT", "Them", "`this`". */
function withoutNames(text) {
  const quotes = [...text.matchAll(QUOTE)].map((quote) => [quote.index, quote.index + quote[0].length]);
  // As in the index, one or two words in capitals are acronyms; more are shouted, and their capitals tell nothing.
  const isShouted = words(text).length > 2 && !/\p{Ll}/u.test(text);
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const isQuoted = quotes.some(([start, end]) => start < index && index < end);
    return isPronoun(word) && (isQuoted || !isShouted && hasNameCapitals(word, text.slice(0, index))) ? NAME : word;
  });
}

/** Whether a word has a name's capitals: throughout, or its first inside a sentence. */
function hasNameCapitals(word, before) {
  return /^\p{Lu}{2,}(?!\p{L})/u.test(word) || /^\p{Lu}/u.test(word) && !OPENING.test(before);
}

/** The place of the first pronoun that means something named before; -1 where there is none. */
function pronounAt(all) {
  let own = false;
  let clauseBegan = false;
  for (const [at, word] of all.entries()) {
    const plain = word.toLowerCase();
    if (isPronoun(word) && !pointsAt(all, at)) {
      // A pronoun can't mean the subject of its own clause, but an owner's form can, and so can one in the next clause.
      return own && (clauseBegan || OWNERS.has(base(word))) ? -1 : at;
    }
    if (CLAUSE.has(plain) && at > 0) {
      clauseBegan = own;
    } else if (!EMPTY.has(plain) && !isAuxiliaryForm(plain)) {
      own ||= isName(all, at);
    }
  }
  return -1;
}

/** "That plant" points at the plant, and "plants that need sun" goes on; "how is that made" and "who made that" stand for something. */
function pointsAt(all, at) {
  if (!POINTERS.has(base(all[at]))) {
    return false;
  }
  const [before, next] = [all[at - 1]?.toLowerCase() ?? "", all[at + 1]?.toLowerCase()];
  const alone = next === undefined || EMPTY.has(next) || /ed$/.test(next);
  return !(alone && (next === undefined || BEFORE_POINTER.test(before)));
}

/** A word that is no verb of the question: what comes before a pronoun and is none is a name. */
function isName(all, at) {
  // Directly behind "how", "do", "can" … and before a pronoun stands a verb or an adjective: "how fast is it", "who invented it".
  const next = all[at + 1];
  const asked = at > 0 && /^(?:who|what|which|how)$/i.test(all[at - 1]);
  return !(asked && next !== undefined && (isPronoun(next) || /^(?:is|are|was|were|do|does|did|can)$/i.test(next)));
}

function isAuxiliaryForm(word) {
  return /^(?:isn|aren|wasn|weren|don|doesn|didn|can|couldn|won|wouldn)['’]?t$/.test(word);
}

function isPronoun(word) {
  return SUBJECTS.has(base(word)) || OWNERS.has(base(word));
}

function base(word) {
  return word.toLowerCase().replace(/['’](?:s|re|ll|d|ve)$/, "");
}

/** The words of `text` that say `title`, as they stand there, with "the" for any article; singular and plural count as one. */
function spanOf(title, text) {
  const at = place(title, text);
  return at && (ARTICLE.test(text.slice(0, at.start)) ? "the " : "") + text.slice(at.start, at.end);
}

function place(title, text) {
  const wanted = words(title).map(stem);
  const there = [...text.matchAll(WORD)];
  for (let from = 0; from + wanted.length <= there.length; from++) {
    if (wanted.every((word, at) => stem(there[from + at][0]) === word)) {
      const last = there[from + wanted.length - 1];
      return { start: there[from].index, end: last.index + last[0].length };
    }
  }
  return null;
}

function words(text) {
  return text.match(WORD) ?? [];
}

function stem(word) {
  const plain = word.toLowerCase();
  return plain.length > 3 ? plain.replace(/(?:ies|y)$/, "i").replace(/(?<!s)s$/, "") : plain;
}

function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

function owner(name) {
  return name.endsWith("s") ? `${name}’` : `${name}’s`;
}

function ended(question) {
  return /[?!.]$/.test(question) ? question : `${question}?`;
}
