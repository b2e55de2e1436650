// Stemmers and stop words of other languages than English: a wasm of its own, for every worker that compares words.

const MOST_REMEMBERED = 20_000;

/**
 * Loads the wasm of languages, which lies in the folder of `base`.
 * @returns {Promise<(language: string, word: string) => string | undefined>}
 */
export async function languageAnalyser(base) {
  const languages = await import(new URL("./seealso_languages.js", base).href);
  await languages.default({ module_or_path: new URL("./seealso_languages_bg.wasm", base) });
  return remembering(languages.analyse);
}

/** The words of a page come again and again. */
function remembering(analyse) {
  const known = new Map();
  return (language, word) => {
    const key = language + word;
    if (!known.has(key)) {
      if (known.size === MOST_REMEMBERED) {
        known.clear();
      }
      known.set(key, analyse(language, word));
    }
    return known.get(key);
  };
}
