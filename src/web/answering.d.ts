export namespace SeeAlso {
    /**
     * Loads the second part of the wasm, which `ask` and `page` take. They load it themselves, from
     * `seealso_answer_bg.wasm` beside this module, where that has not happened before; a page that wants it ahead, or from
     * elsewhere, calls this after `init`. Later calls give the same promise, until one fails.
     */
    export function loadAnswering(source?: AnsweringSource | (() => AnsweringSource | Promise<AnsweringSource>) | Promise<AnsweringSource>): Promise<void>;

    /** An address, an answer to a request, or what it holds. */
    export type AnsweringSource = string | URL | Response | BufferSource | WebAssembly.Module;
}
