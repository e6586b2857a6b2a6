/** What we use of npm's own modules, which come without types. */

declare module "@npmcli/config" {
  interface ConfigOptions {
    /** The folder of npm itself, which may have settings of its own. */
    readonly npmPath: string;
    readonly definitions: object;
    readonly shorthands: object;
    readonly flatten: object;
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
  }
  export default class Config {
    constructor(options: ConfigOptions);
    load(): Promise<void>;
    /** Every setting, as npm's other modules take it. */
    readonly flat: Readonly<Record<string, unknown>>;
  }
}

declare module "@npmcli/config/lib/definitions/index.js" {
  const npm: { readonly definitions: object; readonly shorthands: object; readonly flatten: object };
  export default npm;
}

declare module "npm-registry-fetch" {
  interface RegistryFetch {
    /** A path is below the registry that is responsible for `spec`. */
    (
      address: string,
      settings: Readonly<Record<string, unknown>>,
    ): Promise<import("./npm-registry.ts").RegistryResponse>;
    pickRegistry(spec: string, settings: Readonly<Record<string, unknown>>): string;
  }
  const fetch: RegistryFetch;
  export default fetch;
}
