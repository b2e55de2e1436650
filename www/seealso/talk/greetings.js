// What is no question: greetings, thanks, farewells and the like, in several languages, each with a polite reply. Only a text
// that is wholly made of such phrases counts; whatever else it holds is searched.

/**
 * What is said, by language and kind; phrases are divided by |. A word alone that is also a topic, in whatever language
 * ("tag", "salve", "vale", "nice"), is none: who means it would get no search.
 */
const PHRASES = {
  en: {
    hello: "hi|hello|hey|hiya|howdy|yo|greetings|good morning|good afternoon|good evening|good day|hello there|hi there|hey there|welcome back|nice to meet you|pleased to meet you",
    wellbeing: "how are you|how are you doing|how are you today|how is it going|hows it going|how do you do|whats up|what is up|sup",
    thanks: "thanks|thank you|thanks a lot|many thanks|thanks a million|thx|ty|cheers|much appreciated|thank you very much|thank you so much|thanks so much",
    bye: "bye|goodbye|good bye|bye bye|see you|see you later|see ya|farewell|good night|have a nice day|take care|cya",
    fine: "ok|okay|great|cool|perfect|awesome|got it|i see|alright|all right|well done|good job|good|very good|sounds good|lol|haha",
  },
  de: {
    hello: "hallo|guten morgen|guten tag|guten abend|moin|moin moin|servus|grüß gott|grüß dich|grüezi",
    wellbeing: "wie geht es dir|wie gehts|wie geht es ihnen|wie geht es",
    thanks: "danke|danke schön|dankeschön|vielen dank|danke sehr|herzlichen dank|besten dank|danke dir|danke ihnen",
    bye: "tschüss|tschüs|auf wiedersehen|bis bald|bis später|gute nacht|schönen tag noch|ciao ciao",
    fine: "alles klar|verstanden|sehr gut",
  },
  fr: {
    hello: "bonjour|salut|bonsoir|coucou|bonjour à tous",
    wellbeing: "ça va|comment ça va|comment allez vous|comment vas tu",
    thanks: "merci|merci beaucoup|merci bien|mille mercis|je vous remercie",
    bye: "au revoir|à bientôt|à plus tard|à demain|bonne nuit|bonne journée|bonne soirée",
    fine: "d accord|parfait|très bien|génial|c est bon",
  },
  es: {
    hello: "hola|buenos días|buenas tardes|buenas noches|buenas|qué tal",
    wellbeing: "cómo estás|cómo está|cómo te va",
    thanks: "gracias|muchas gracias|mil gracias",
    bye: "adiós|hasta luego|hasta mañana|hasta pronto|chao",
    fine: "perfecto|muy bien|genial|de acuerdo",
  },
  it: {
    hello: "ciao|buongiorno|buonasera|buon giorno|buona sera",
    wellbeing: "come stai|come sta|come va",
    thanks: "grazie|grazie mille|molte grazie|tante grazie",
    bye: "arrivederci|buonanotte|a presto|a domani|buona notte",
    fine: "va bene|perfetto|benissimo|ottimo",
  },
  pt: {
    hello: "olá|oi|bom dia|boa tarde|boa noite|alô",
    wellbeing: "como vai|tudo bem|como está|como você está",
    thanks: "obrigado|obrigada|muito obrigado|muito obrigada|valeu",
    bye: "tchau|até logo|até mais|até amanhã|adeus",
    fine: "está bem|perfeito|ótimo|muito bem",
  },
  nl: {
    hello: "hoi|goedemorgen|goedemiddag|goedenavond|goedendag",
    wellbeing: "hoe gaat het|hoe gaat het met je",
    thanks: "dank je|dank u|dank je wel|dank u wel|bedankt|dankjewel",
    bye: "doei|tot ziens|tot later|goedenacht",
    fine: "goed|prima zo|oké|lekker",
  },
  pl: { hello: "cześć|dzień dobry|dobry wieczór|witaj|hej hej", thanks: "dziękuję|dzięki|dziękuję bardzo|wielkie dzięki", bye: "do widzenia|do zobaczenia|dobranoc|pa pa" },
  sv: { hello: "hej|hejsan|god morgon|god dag|god kväll|tjena", thanks: "tack|tack så mycket|tusen tack", bye: "hej då|vi ses|god natt" },
  tr: { hello: "merhaba|selam|günaydın|iyi günler|iyi akşamlar", thanks: "teşekkürler|teşekkür ederim|çok teşekkürler|sağ ol", bye: "hoşça kal|görüşürüz|güle güle|iyi geceler" },
  ru: { hello: "привет|здравствуйте|здравствуй|доброе утро|добрый день|добрый вечер", thanks: "спасибо|большое спасибо|спасибо большое|благодарю", bye: "пока|до свидания|спокойной ночи|до встречи" },
  uk: { hello: "привіт|добрий ранок|доброго дня|вітаю", thanks: "дякую|дуже дякую|щиро дякую", bye: "до побачення|бувай|на добраніч" },
  el: { hello: "γεια|γεια σου|γεια σας|καλημέρα|καλησπέρα", thanks: "ευχαριστώ|ευχαριστώ πολύ", bye: "αντίο|καληνύχτα" },
  ar: { hello: "مرحبا|أهلا|السلام عليكم|صباح الخير|مساء الخير|أهلا وسهلا", thanks: "شكرا|شكرا جزيلا", bye: "مع السلامة|إلى اللقاء" },
  he: { hello: "שלום|היי|בוקר טוב|ערב טוב", thanks: "תודה|תודה רבה", bye: "להתראות|לילה טוב" },
  hi: { hello: "नमस्ते|नमस्कार|हैलो", thanks: "धन्यवाद|शुक्रिया|बहुत धन्यवाद", bye: "अलविदा|फिर मिलेंगे" },
  ja: { hello: "こんにちは|こんばんは|おはよう|おはようございます|やあ|はじめまして", thanks: "ありがとう|ありがとうございます|ありがとうございました|どうも", bye: "さようなら|じゃあね|またね|おやすみ|おやすみなさい" },
  zh: { hello: "你好|您好|早上好|下午好|晚上好|嗨|大家好|早安", wellbeing: "你好吗|你怎么样", thanks: "谢谢|多谢|谢谢你|非常感谢|謝謝|多謝", bye: "再见|拜拜|晚安|再見" },
  ko: { hello: "안녕|안녕하세요|안녕하십니까", thanks: "감사합니다|고마워|고맙습니다|고마워요", bye: "안녕히 계세요|안녕히 가세요|잘 가" },
};

/** Who may be spoken to, beside the phrases, and how warmly. */
const BESIDE = new Set("there all everyone everybody again you friend friends guys folks team bot assistant seealso see also today then so very much a lot dear zusammen nochmal alle amis tous a todos tutti".split(" "));

/** The replies. "hello" stands for well-being, too. */
const REPLIES = {
  en: ["Hello! Ask about anything that these packs hold.", "You’re welcome. Ask on whenever you like.", "Goodbye!", "Good. Ask on whenever you like."],
  de: ["Hallo! Frag nach allem, was in diesen Wikis steht.", "Gern geschehen. Frag gern weiter.", "Auf Wiedersehen!", "Gut. Frag gern weiter."],
  fr: ["Bonjour ! Posez une question sur ce que contiennent ces wikis.", "Avec plaisir. Posez d’autres questions quand vous voulez.", "Au revoir !", "Très bien. Posez d’autres questions quand vous voulez."],
  es: ["¡Hola! Pregunta por lo que hay en estos wikis.", "De nada. Pregunta cuando quieras.", "¡Hasta luego!", "Muy bien. Pregunta cuando quieras."],
  it: ["Ciao! Chiedi di ciò che c’è in questi wiki.", "Prego. Chiedi pure ancora.", "Arrivederci!", "Bene. Chiedi pure ancora."],
  pt: ["Olá! Pergunte sobre o que há nestes wikis.", "De nada. Pergunte quando quiser.", "Até logo!", "Muito bem. Pergunte quando quiser."],
  nl: ["Hallo! Vraag naar wat er in deze wiki’s staat.", "Graag gedaan. Vraag gerust verder.", "Tot ziens!", "Goed. Vraag gerust verder."],
  pl: ["Dzień dobry! Zapytaj o to, co jest w tych wiki.", "Proszę bardzo. Pytaj dalej.", "Do widzenia!"],
  sv: ["Hej! Fråga om det som finns i dessa wikier.", "Varsågod. Fråga gärna vidare.", "Hej då!"],
  tr: ["Merhaba! Bu vikilerdeki konuları sorabilirsiniz.", "Rica ederim. Yine sorabilirsiniz.", "Hoşça kalın!"],
  ru: ["Здравствуйте! Спросите о том, что есть в этих вики.", "Пожалуйста. Спрашивайте ещё.", "До свидания!"],
  uk: ["Вітаю! Запитайте про те, що є в цих вікі.", "Прошу. Запитуйте ще.", "До побачення!"],
  el: ["Γεια σας! Ρωτήστε για όσα υπάρχουν σε αυτά τα wiki.", "Παρακαλώ. Ρωτήστε ξανά όποτε θέλετε.", "Αντίο!"],
  ar: ["مرحبا! اسأل عما تحويه هذه الموسوعات.", "على الرحب والسعة.", "مع السلامة!"],
  he: ["שלום! אפשר לשאול על מה שיש בוויקי האלה.", "בבקשה. אפשר לשאול עוד.", "להתראות!"],
  hi: ["नमस्ते! इन विकियों में जो है, उसके बारे में पूछिए।", "आपका स्वागत है। और पूछिए।", "फिर मिलेंगे!"],
  ja: ["こんにちは。このウィキにあることを聞いてください。", "どういたしまして。またどうぞ。", "さようなら。"],
  zh: ["你好！可以问这些维基里的内容。", "不客气。欢迎继续提问。", "再见！"],
  ko: ["안녕하세요! 이 위키에 있는 것을 물어보세요.", "천만에요. 또 물어보세요.", "안녕히 가세요!"],
};
const REPLY = { hello: 0, wellbeing: 0, thanks: 1, bye: 2, fine: 3 };

/** Which kind is answered where a text has several: the last of these. */
const WEIGHT = ["hello", "fine", "wellbeing", "thanks", "bye"];
const LONGEST = 5;

const known = new Map();
for (const [language, kinds] of Object.entries(PHRASES)) {
  for (const [kind, phrases] of Object.entries(kinds)) {
    for (const phrase of phrases.split("|")) {
      const key = plain(phrase);
      known.set(key, known.get(key) ?? { kind, language });
    }
  }
}

/** The reply to a text that asks nothing; null where it does, or may. @returns {{language: string, text: string}|null} */
export function replyTo(text) {
  const said = phrasesOf(plain(text).split(" ").filter(Boolean));
  if (!said) {
    return null;
  }
  const { kind, language } = said.reduce((best, next) => (WEIGHT.indexOf(next.kind) >= WEIGHT.indexOf(best.kind) ? next : best));
  return { language, text: REPLIES[language][REPLY[kind]] ?? REPLIES[language][0] };
}

/** The phrases that a text is made of; null where it is made of anything else. */
function phrasesOf(words) {
  const said = [];
  for (let at = 0; at < words.length;) {
    const length = longest(words, at);
    if (length > 0) {
      said.push(known.get(words.slice(at, at + length).join(" ")));
    } else if (said.length === 0 || !BESIDE.has(words[at])) {
      return null;
    }
    at += Math.max(1, length);
  }
  return said.length > 0 ? said : null;
}

function longest(words, at) {
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
    if (known.has(words.slice(at, at + length).join(" "))) {
      return length;
    }
  }
  return 0;
}

/** Without case, accents, signs and pictures. */
function plain(text) {
  return text.normalize("NFKD").toLowerCase().replace(/ß/g, "ss").replace(/ı/g, "i").replace(/[\p{M}'’‘]/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").normalize("NFC").trim();
}
