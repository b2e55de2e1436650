// Stemmers and stop words of other languages than English: a wasm of its own, for every worker that compares words. Loaded
// where a page is in such a language.

const MOST_REMEMBERED = 20_000;

/** @returns {Promise<(language: string, written: string, folded: string) => string | undefined>} */
export async function languageAnalyser() {
  const languages = await import("./seealso_languages.js");
  await languages.default({ module_or_path: new URL("./seealso_languages_bg.wasm", import.meta.url) });
  return remembering(languages.analyse);
}

/** The words of a page come again and again. */
function remembering(analyse) {
  const known = new Map();
  return (language, written, folded) => {
    const key = language + written;
    if (!known.has(key)) {
      if (known.size === MOST_REMEMBERED) {
        known.clear();
      }
      known.set(key, analyse(language, written, folded));
    }
    return known.get(key);
  };
}
