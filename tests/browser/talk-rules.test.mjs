// The rules by which a text is told to ask nothing, and by which a question that goes on from the last one is made whole.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { madeWhole, subjectsOf } from "../../www/seealso/talk/follow-up.js";
import { replyTo } from "../../www/seealso/talk/greetings.js";

describe("what asks nothing", () => {
  test("is answered in its language", () => {
    const check = (text, language, reply) => assert.deepEqual(replyTo(text), { language, text: reply }, text);
    const hello = "Hello! Ask about anything that these packs hold.";
    check("hi", "en", hello);
    check("Hello there!", "en", hello);
    check("Hey everyone 👋", "en", hello);
    check("HI, how are you?", "en", hello);
    check("Thanks", "en", "You’re welcome. Ask on whenever you like.");
    check("ok, thank you very much!!", "en", "You’re welcome. Ask on whenever you like.");
    check("What's up?", "en", hello);
    check("cool", "en", "Good. Ask on whenever you like.");
    check("Thanks, bye", "en", "Goodbye!");
    check("Guten Tag", "de", "Hallo! Frag nach allem, was in diesen Wikis steht.");
    check("Grüß Gott", "de", "Hallo! Frag nach allem, was in diesen Wikis steht.");
    check("Vielen Dank!", "de", "Gern geschehen. Frag gern weiter.");
    check("Bonjour à tous !", "fr", "Bonjour ! Posez une question sur ce que contiennent ces wikis.");
    check("ca va", "fr", "Bonjour ! Posez une question sur ce que contiennent ces wikis.");
    check("¡Buenos días!", "es", "¡Hola! Pregunta por lo que hay en estos wikis.");
    check("muchas gracias", "es", "De nada. Pregunta cuando quieras.");
    check("Ciao", "it", "Ciao! Chiedi di ciò che c’è in questi wiki.");
    check("obrigada", "pt", "De nada. Pergunte quando quiser.");
    check("Спасибо!", "ru", "Пожалуйста. Спрашивайте ещё.");
    check("こんにちは", "ja", "こんにちは。このウィキにあることを聞いてください。");
    check("ありがとうございます。", "ja", "どういたしまして。またどうぞ。");
    check("你好！", "zh", "你好！可以问这些维基里的内容。");
    check("안녕하세요", "ko", "안녕하세요! 이 위키에 있는 것을 물어보세요.");
    check("مرحبا", "ar", "مرحبا! اسأل عما تحويه هذه الموسوعات.");
  });

  test("is not what asks something", () => {
    for (const text of ["", "?", "Hadrian", "hi, what is Docker?", "thanks giving", "good morning glory", "hello world in Rust", "goodbye letters of Hadrian",
      "tag", "Nice", "salve", "super", "vale", "na", "ade", "dag", "gut", "toll", "there", "everyone", "How are plants green?", "what is up with leaves", "Danke der Nachfrage, was ist Docker?"]) {
      assert.equal(replyTo(text), null, text);
    }
  });
});

describe("a question that goes on from the last", () => {
  const TEA = { question: "What is green tea?", subjects: ["green tea"] };
  const check = (last, question, whole) => assert.equal(madeWhole(question, last), whole, `${last.question} ${question}`);

  test("has its pronouns replaced by what that was about", () => {
    check(TEA, "How is it brewed?", "How is green tea brewed?");
    check(TEA, "how is it brewed", "How is green tea brewed?");
    check(TEA, "And how is it brewed?", "How is green tea brewed?");
    check(TEA, "What are its effects?", "What are green tea’s effects?");
    check(TEA, "Is it safe to drink?", "Is green tea safe to drink?");
    check(TEA, "Is it safe to drink every day?", "Is green tea safe to drink every day?");
    check(TEA, "Is it safe to drink before sleep?", "Is green tea safe to drink before sleep?");
    check(TEA, "Is it used to treat colds?", "Is green tea used to treat colds?");
    check(TEA, "How old is it and where was it found?", "How old is green tea and where was it found?");
    check(TEA, "Who invented it?", "Who invented green tea?");
    check(TEA, "How is that made?", "How is green tea made?");
    check(TEA, "Who discovered that?", "Who discovered green tea?");
    check(TEA, "It's made of what?", "Green tea is made of what?");
    check(TEA, "What's it made of?", "What's green tea made of?");
    check({ question: "What are stomata?", subjects: ["stomata"] }, "Why do leaves have them?", "Why do leaves have stomata?");
    check({ question: "What are stomata?", subjects: ["stomata"] }, "What do these do at night?", "What do stomata do at night?");
    check({ question: "Who was Hadrian?", subjects: ["Hadrian"] }, "When did he die?", "When did Hadrian die?");
    check({ question: "Who was Hadrian?", subjects: ["Hadrian"] }, "Who was his successor?", "Who was Hadrian’s successor?");
    check({ question: "What is MCP?", subjects: ["MCP"] }, "Does Docker use it?", "Does Docker use MCP?");
    const both = { question: "Compare Roman emperors with Neanderthals", subjects: ["Roman emperors", "Neanderthals"] };
    check(both, "When did they live?", "When did Roman emperors and Neanderthals live?");
    check(both, "Where did the latter live?", "Where did Neanderthals live?");
  });

  test("has no pronoun in a word that is written as a name", () => {
    const tea = { question: "What is tea?", subjects: ["tea"] };
    for (const [question, whole] of [
      ["What is IT?", null],
      ["IT?", null],
      ["How are IT's costs counted?", null],
      ["who directed Them?", null],
      ["Who are They Might Be Giants?", null],
      ["What does `this` do?", null],
      ['What is "it"?', null],
      ["What is 'it'?", null],
      ["What do “its” and „it’s“ mean?", null],
      ["What about IT?", "What is IT?"],
      ["What about It?", "What is It?"],
      ["How does IT use it?", "How does IT use tea?"],
      ["HOW IS IT BREWED?", "HOW IS tea BREWED?"],
      ["I like tea. Is it hot?", "I like tea. Is tea hot?"],
      ["Good! It is made of what?", "Good! tea is made of what?"],
      ["Why does a cat's \"fur\" need it?", "Why does a cat's \"fur\" need tea?"],
      ["Is it 'hot'?", "Is tea 'hot'?"],
    ]) {
      check(tea, question, whole);
    }
  });

  test("is put into the last one, where it names only something else", () => {
    check(TEA, "What about oolong?", "What is oolong?");
    check(TEA, "And black tea?", "What is black tea?");
    check({ question: "How is Green Tea brewed?", subjects: ["Green Tea"] }, "how about white tea", "How is white tea brewed?");
    check({ question: "Who ruled after Trajan?", subjects: ["Hadrian"] }, "What about Nero?", "Who ruled after Trajan, Nero?");
    check({ question: "What is a pod?", subjects: ["the pod"] }, "What about a node?", "What is a node?");
    check(TEA, "And in Japan?", "What is green tea in Japan?");
    check(TEA, "What about in Japan?", "What is green tea in Japan?");
    check({ question: "How is tea grown in China?", subjects: ["tea"] }, "And in Japan?", "How is tea grown in Japan?");
    check(TEA, "Why?", "What is green tea? Why?");
    check(TEA, "Tell me more", "Tell me more about green tea.");
  });

  test("stays as it is, where it stands on its own", () => {
    for (const question of ["What is black tea?", "What is Docker and how does it work?", "How does Docker store its images?", "Is it true that tea cures colds?",
      "How long does it take to run a container?", "What is that plant called?", "Who was the first Roman emperor?", "Which plants are there that need no sun?",
      "Is it safe to eat raw eggs?", "What time is it in Tokyo?", "Is it legal to record a call?", "Is it better to boil or to fry an egg?", "Is it healthy to skip breakfast?",
      "Is it legal to own a sword in Japan?", "Is it normal that cats purr?", "Is it safe for children to eat honey?", "It is easy to learn Rust, but why?", "What day is it?",
      "Photosynthesis", "And what is oolong?", "Why do leaves turn red when they die?", "?", ""]) {
      check(TEA, question, null);
    }
    assert.equal(madeWhole("How is it brewed?", undefined), null);
    assert.equal(madeWhole("How is it brewed?", { question: "Hm?", subjects: [] }), null);
  });

  test("is about what the answer before was", () => {
    const page = (name, title) => ({ page: name, title });
    const answer = (question, parts, sources) => ({ question, sub_queries: parts.map(([text, pages, answered = true]) => ({ text, pages, answered })), sources });
    assert.deepEqual(subjectsOf(answer("What are container registries?", [["container registries", ["a", "b"]]], [page("a", "Container registry"), page("b", "OCI")])), ["container registries"]);
    assert.deepEqual(subjectsOf(answer("What is a container registry?", [["container registry", ["a"]]], [page("a", "Container registry")])), ["the container registry"]);
    assert.deepEqual(subjectsOf(answer("Who ruled after Trajan?", [["ruled after Trajan", ["h"]]], [page("h", "Hadrian")])), ["Hadrian"]);
    assert.deepEqual(subjectsOf(answer("Compare A with B", [["A", ["a"]], ["B", ["b"], false]], [page("a", "A"), page("b", "B")])), ["A"]);
    assert.deepEqual(subjectsOf(answer("Nothing", [], [])), []);
  });
});
