// Stemmers, stop words and question words of other languages than English: a wasm of its own, for every worker that compares
// words or splits questions. Loaded where a page is in such a language.

const MOST_REMEMBERED = 20_000;

/**
 * @returns {Promise<{
 *   analyse: (language: string, written: string, folded: string) => string | undefined,
 *   questionWords: (language: string) => string | undefined,
 * }>}
 */
export async function languageSupport() {
  const languages = await import("./seealso_languages.js");
  await languages.default({ module_or_path: new URL("./seealso_languages_bg.wasm", import.meta.url) });
  return { analyse: remembering(languages.analyse), questionWords: languages.questionWords };
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
