/** What is used of the global object WebAssembly, whose types come with those of browsers only. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance<Exports> {
    constructor(module: Module);
    readonly exports: Exports;
  }

  class Memory {
    readonly buffer: ArrayBuffer;
    /** By pages of 64 KiB; `buffer` is another one then. */
    grow(pages: number): number;
  }
}
