// Real models for tests: whether one is there, in the folder that SEEALSO_MODELS names.

import { isExpected } from "../../../bench/model/models.mjs";

/** The folder of real models; nothing where none is named. */
export function modelFolder() {
  return process.env.SEEALSO_MODELS;
}

/**
 * Why a test that needs a model is skipped, as the option `skip` of `test` takes it; false where the model has to be there.
 * @param {string} name one that `cargo xtask model` knows
 */
export async function lacks(name) {
  if (!modelFolder()) {
    return `no ${name}: SEEALSO_MODELS names no folder of models`;
  }
  return (await isExpected(name)) ? false : `no ${name}: the folder's models.json does not list it`;
}
