// The parts of a deliberation and of the history that need no browser: how fast a role writes and how long the rest takes,
// and the conversation as a file.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { asJson, asMarkdown } from "../../www/history/export.js";
import { inText } from "../../www/history/markdown.js";
import { agreement } from "../../www/seealso/node/agreement.js";
import { browserRole } from "../../www/seealso/deliberation/browser.js";
import { localRole } from "../../www/seealso/deliberation/local.js";
import { Pace } from "../../www/seealso/deliberation/pace.js";
import { words } from "../../www/seealso/deliberation/words.js";

describe("the pace of a role", () => {
  test("is that from its first token on, and of few tokens only their number", () => {
    let now = 1000;
    const pace = new Pace(() => now);
    assert.equal(pace.summary("expert"), "");
    pace.token("expert");
    assert.equal(pace.summary("expert"), "1 token");
    for (let at = 0; at < 10; at++) {
      now += 250;
      pace.token("expert");
    }
    assert.equal(pace.summary("expert"), "11 tokens, 4.0 a second");
    now += 10_000;
    assert.equal(pace.summary("expert"), "11 tokens, 4.0 a second", "what is not written takes no time");
    assert.equal(pace.token("critic"), 1);
  });

  test("leaves out what is read between two parts of a draft", () => {
    let now = 0;
    const pace = new Pace(() => now);
    const write = (tokens) => {
      for (let at = 0; at < tokens; at++) {
        now += 100;
        pace.token("expert");
      }
    };
    write(6);
    pace.read("expert", 0);
    now += 60_000;
    pace.read("expert", 500);
    now += 100;
    write(6);
    assert.equal(pace.summary("expert"), "12 tokens, 10 a second");
  });
});

describe("the time that is left", () => {
  /** A deliberation whose clock each act moves by so many milliseconds. */
  const begin = (draft) => {
    let now = 5000;
    const pace = new Pace(() => now, draft);
    const acts = {
      begin: ([stage]) => pace.begin(stage),
      read: ([stage, done], ms) => (now += ms, pace.read(stage, done)),
      write: ([stage, tokens], ms) => Array.from({ length: tokens }, () => (now += ms, pace.token(stage))),
      judge: ([stage, done, claims], ms) => (now += ms, pace.judge(stage, done, claims)),
      end: ([stage], ms) => (now += ms, pace.end(stage)),
    };
    return (...steps) => {
      steps.forEach(([act, ms, ...what]) => acts[act](what, ms));
      return pace.left();
    };
  };

  test("is not told before enough was written", () => {
    const left = begin(100);
    assert.equal(left(["begin", 0, "expert"]), null);
    assert.equal(left(["read", 1000, "expert", 0], ["read", 1000, "expert", 500]), null);
    assert.equal(left(["write", 100, "expert", 5]), null);
    assert.notEqual(left(["write", 100, "expert", 1]), null);
  });

  // Ten tokens a second; a draft of a hundred is expected; a thousand tokens of a prompt take a second.
  const CASES = [
    ["the draft and once more as much", [["write", 100, "expert", 20]], 8 + 10],
    ["less, the more is written", [["write", 100, "expert", 60]], 4 + 10],
    ["another quarter of a draft that is longer than expected", [["write", 100, "expert", 200]], 5 + 25],
    ["the Synthesizer's text alone, once the draft is there", [["write", 100, "expert", 40], ["end", 0, "expert"]], 4],
    ["its rest", [["write", 100, "expert", 40], ["end", 0, "expert"], ["write", 100, "synthesize", 30]], 1],
    ["nothing of it, once it is there", [["write", 100, "expert", 40], ["end", 0, "expert"], ["write", 100, "synthesize", 30], ["end", 0, "synthesize"]], 0],
    ["nothing of one that failed", [["write", 100, "expert", 40], ["end", 0, "expert"], ["end", 0, "synthesize"]], 0],
    ["the reading of the draft", [["read", 9, "expert", 200], ["read", 1000, "expert", 1200], ["write", 100, "expert", 100], ["end", 0, "expert"]], 10 + 0.3],
    ["no reading of what was known from before", [["read", 9, "expert", 900], ["read", 1000, "expert", 900], ["write", 100, "expert", 100], ["end", 0, "expert"]], 10],
    ["as long a wait as the Expert's, where reading is not told", [["begin", 0, "expert"], ["read", 3000, "expert", 0], ["write", 100, "expert", 100], ["end", 0, "expert"]], 10 + 3.1],
    ["the claims of the draft, and those of the answer", [["write", 100, "expert", 40], ["end", 0, "expert"], ["judge", 0, "critic", 0, 4], ["judge", 500, "critic", 1, 4]], 4 + 1.5 + 2],
    ["the answer's, once the draft's are judged", [["write", 100, "expert", 40], ["end", 0, "expert"], ["judge", 0, "critic", 0, 2], ["judge", 500, "critic", 1, 2], ["end", 500, "critic"]], 4 + 1],
    ["no claims, where all are judged", [["write", 100, "expert", 40], ["end", 0, "expert"], ["end", 0, "synthesize"], ["judge", 0, "verify", 0, 2], ["judge", 500, "verify", 1, 2], ["end", 0, "verify"]], 0],
  ];
  for (const [what, steps, seconds] of CASES) {
    test(`is ${what}`, () => assert.equal(Math.round(10 * begin(100)(...steps)) / 10, seconds));
  }

  test("is told in steps, never more exactly than it is known", () => {
    const told = [[0, "a few seconds left"], [5, "a few seconds left"], [5.1, "about 10 seconds left"], [11, "about 15 seconds left"],
      [30, "about 30 seconds left"], [31, "about 40 seconds left"], [50, "about 50 seconds left"], [51, "about 1 minute left"],
      [60, "about 1 minute left"], [61, "about 2 minutes left"], [3600, "about 60 minutes left"]];
    for (const [seconds, expected] of told) {
      assert.equal(words.left(seconds), expected);
    }
  });
});

describe("a local model as a judge", () => {
  const figures = { auc: 0.75, supports: 1, rejects: -1 };
  const model = {
    score: async (_messages, continuations) => Float64Array.from(continuations, (text) => -text.length),
    judge: async (messages, { layers, weights, bias }) =>
      `${messages.map(({ role, content }) => `${role[0]}:${content}`).join(" ")} ${layers} ${weights} ${bias}`,
  };
  const role = (judge) => localRole(model, { name: "m", context: 9, judge });

  test("is read where its record says how, and has the figures of that", async () => {
    const reading = { layers: 2, bias: 0.5, weights: "AAAAPwAAAMA=", ...figures, auc: 0.85 };
    const { abilities, judge } = role({ ...figures, reading });
    assert.deepEqual(abilities, { name: "m", context: 9, tools: true, judge: { ...figures, auc: 0.85 }, judges: true });
    const before = [{ user: "one?", assistant: "1" }, { user: "two?", assistant: "2" }];
    const asked = await judge({ system: "s", before, user: "u" }, ["Yes", "No"]);
    assert.equal(asked, "s:s u:one? a:1 u:two? a:2 u:u 2 0.5,-2 0.5");
  });

  test("is asked for likelihoods elsewhere", async () => {
    const { abilities, judge, score } = role(figures);
    assert.deepEqual([abilities, judge], [{ name: "m", context: 9, tools: true, judge: figures }, undefined]);
    assert.deepEqual(role({ ...figures, reading: { layers: 2 } }).abilities.judge, figures);
    assert.deepEqual(await score({ system: "s", user: "u" }, ["Yes", "No"]), [-3, -2]);
    assert.equal(role(undefined).abilities.judge, undefined);
  });
});

describe("consent", () => {
  test("is for one base URL, and gone once it is withdrawn", () => {
    const node = { base: "https://node.example/v1", model: "m", context: null, wait: 5, found: null };
    assert.equal(agreement.for(node), null);
    agreement.give({ base: node.base, origin: "https://node.example", key: "sk" });
    assert.deepEqual(agreement.for(node), { base: node.base, model: "m", context: null, wait: 5, key: "sk", agreed: "https://node.example" });
    const odd = agreement.for({ ...node, context: -1, wait: 1.5 });
    assert.deepEqual([odd.context, odd.wait], [null, null], "no number that a node could be asked with");
    assert.equal(agreement.for({ ...node, base: "https://other.example/v1" }), null);
    assert.equal(agreement.for(null), null);
    agreement.withdraw();
    assert.deepEqual([agreement.for(node), agreement.origin], [null, ""]);
  });
});

describe("the conversation as a file", () => {
  const source = (number, title, file) => ({ number, title, pack: "tea", file, url: `https://site.example/tea/${file}` });
  const turn = {
    at: "2026-01-02T03:04:05.000Z",
    answer: { question: "What is [tea]?\nReally", text: "A drink. [2]", sources: [source(1, "Leaves", "leaves.md"), source(2, "Tea [drink]", "tea.md")] },
  };

  test("is Markdown with the pages that are cited, and with no link but theirs", () => {
    assert.equal(asMarkdown([turn]), [
      "# Questions and answers", "", "## What is \\[tea\\]? Really", "", "*2026-01-02T03:04:05.000Z, quoted from the pages*", "", "A drink. [2]", "",
      "- [2] [Tea \\[drink\\]](https://site.example/tea/tea.md), tea/tea.md", "",
    ].join("\n"));
    const deliberated = { ...turn, writer: { name: "m", place: "https://node.example" }, deliberation: { kept: null, text: "Leaves in water [1, 2]." } };
    assert.match(asMarkdown([deliberated]), /\*2026-01-02T03:04:05\.000Z, m at https:\/\/node\.example, checked against the pages\*\n\nLeaves in water \[1, 2\]\.\n\n- \[1\] .*\n- \[2\] /);
    const kept = { ...deliberated, deliberation: { kept: "it says less", text: "Leaves." } };
    assert.match(asMarkdown([kept]), /quoted from the pages\*\n\nA drink\. \[2\]/);
  });

  test("is Markdown in which others' words plant nothing", () => {
    const hostile = '<img src=x onerror=alert(1)> [a](http://evil.example) ![b](http://evil.example/b.png) `c`';
    const turns = asMarkdown([{
      at: "T", writer: { name: "*m* [x](http://evil.example)", place: "" },
      answer: { question: hostile, text: "", sources: [{ number: 1, title: "T](http://evil.example)", pack: "p", file: "a_(b).md", url: "https://site.example/a_(b).md" }, { number: 2, title: "S", pack: "p", file: "s.md", url: "javascript:alert(1)" }] },
      deliberation: { kept: null, text: `${hostile} [1, 2]` },
    }]);
    assert.equal(turns, [
      "# Questions and answers", "",
      "## \\<img src=x onerror=alert(1)\\> \\[a\\](http\\://evil.example) \\!\\[b\\](http\\://evil.example/b.png) \\`c\\`", "",
      "*T, \\*m\\* \\[x\\](http\\://evil.example), checked against the pages*", "",
      "\\<img src=x onerror=alert(1)> \\[a\\](http\\://evil.example) \\!\\[b\\](http\\://evil.example/b.png) `c` [1, 2]", "",
      "- [1] [T\\](http\\://evil.example)](https://site.example/a_%28b%29.md), p/a\\_(b).md", "- [2] S, p/s.md", "",
    ].join("\n"));
  });

  const TEXTS = [
    ["**Bold**, *slanted*.\n- one [1]\n- two [2, 3].", "**Bold**, *slanted*.\n- one [1]\n- two [2, 3]."],
    ["[1](http://evil.example)", "[1]\\(http\\://evil.example)"],
    ["[1]: //evil.example", "[1]\\: //evil.example"],
    ["![1](//evil.example)", "\\![1]\\(//evil.example)"],
    ["\\[a](//evil.example)", "\\\\\\[a\\](//evil.example)"],
    ["See www.evil.example", "See www\\.evil.example"],
    ["`Vec<u8>` and `a[1](b)`", "`Vec<u8>` and `a[1](b)`"],
    ["a ` b\n`[a](//evil.example)`", "a \\` b\n`[a](//evil.example)`"],
    ["``[a](//evil.example)``", "\\`\\`\\[a\\](//evil.example)\\`\\`"],
    ["`|[a](//evil.example)|`", "\\`|\\[a\\](//evil.example)|\\`"],
    ["```rust\nVec<u8>\n```\n<b>", "```rust\nVec<u8>\n```\n\\<b>"],
    ["```\nVec<u8>", "```\nVec<u8>\n```"],
    ["  ~~~\n```\n<b>\n  ~~~", "  \\~\\~\\~\n```\n<b>\n  ~~~\n```"],
    ["    ```\n<b>", "    \\`\\`\\`\n\\<b>"],
    ["```\na\n    ```\n<b>", "```\na\n    ```\n<b>\n```"],
    ["```\na\n```\u00a0\n<b>", "```\na\n```\u00a0\n<b>\n```"],
    ["```\na\r```\r<b>", "```\na\n```\n\\<b>"],
  ];
  test("keeps an answer's form, its code and its citations, and none of its links", () => {
    for (const [text, expected] of TEXTS) {
      assert.equal(inText(text), expected);
    }
  });

  test("is JSON that names its form", () => {
    assert.deepEqual(JSON.parse(asJson([turn])), { format: "seealso-history", version: 1, turns: [turn] });
  });
});

describe("the browser's own model", () => {
  test("hears what was said before the question, and is let go of", async () => {
    const heard = { destroyed: 0 };
    globalThis.LanguageModel = {
      async create({ initialPrompts }) {
        heard.before = initialPrompts;
        const promptStreaming = (user) => ReadableStream.from([`${user} `, "Yes", "and more"]);
        return { promptStreaming, destroy: () => heard.destroyed++ };
      },
    };
    try {
      const before = [{ user: "one?", assistant: "1" }, { user: "two?", assistant: "2" }];
      const { text, tokens, cut } = await browserRole("b").write({ system: "s", before, user: "u", max_tokens: 2 }, () => {});
      assert.deepEqual([text, tokens, cut], ["u Yes", 2, true]);
      const roles = [["system", "s"], ["user", "one?"], ["assistant", "1"], ["user", "two?"], ["assistant", "2"]];
      assert.deepEqual(heard, { before: roles.map(([role, content]) => ({ role, content })), destroyed: 1 });
      await browserRole("b").write({ system: "", user: "u", max_tokens: 9 }, () => {});
      assert.equal(heard.before, undefined);
    } finally {
      delete globalThis.LanguageModel;
    }
  });
});
