/** The values of a network's preprocessor_config.json, checked one by one: messages name the file and the key. */
import { InputError } from "../files/errors.ts";

export type Rgb = readonly [red: number, green: number, blue: number];

/** A value, for messages. */
export const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isRgb = (values: readonly unknown[]): values is Rgb =>
  values.length === 3 && values.every((value) => Number.isFinite(value));

/** Values by key, each checked as it is asked for; null is the same as nothing. */
export class ConfigValues {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #file: string;

  constructor(json: unknown, file: string) {
    this.#file = file;
    if (!isRecord(json)) throw new InputError(`${file}: must hold a JSON object, as preprocessor_config.json does`);
    this.#values = json;
  }

  /** "CLIP" of a CLIPImageProcessor, CLIPImageProcessorFast or CLIPFeatureExtractor; empty where nothing is said. */
  get processor(): string {
    const name = this.value("image_processor_type") ?? this.value("feature_extractor_type") ?? "";
    return String(name).replace(/(ImageProcessor(Fast)?|FeatureExtractor)$/, "");
  }

  error(key: string, problem: string): InputError {
    return new InputError(`${this.#file}: ${key}: ${problem}`);
  }

  value(key: string): unknown {
    return this.#values[key] ?? undefined;
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  flag(key: string, standard: boolean): boolean {
    const value = this.value(key) ?? standard;
    if (typeof value !== "boolean") throw this.error(key, `must be true or false, not ${shown(value)}`);
    return value;
  }

  positive(key: string, standard: number): number {
    const value = this.value(key) ?? standard;
    if (typeof value !== "number" || !(value > 0 && value < Number.POSITIVE_INFINITY))
      throw this.error(key, `must be a number above 0, not ${shown(value)}`);
    return value;
  }

  side(key: string, value: unknown): number {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > 8192)
      throw this.error(key, `must be a whole number from 1 to 8192, not ${shown(value)}`);
    return value;
  }

  members(key: string, value: unknown): Readonly<Record<string, unknown>> {
    if (!isRecord(value))
      throw this.error(key, `must be a whole number, or an object with height and width, not ${shown(value)}`);
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  }

  rgb(key: string, above: number): Rgb {
    const value = this.value(key);
    const values = typeof value === "number" ? [value, value, value] : value;
    if (!Array.isArray(values) || !isRgb(values) || values.some((one) => one <= above))
      throw this.error(key, `must be three numbers${above === 0 ? " above 0" : ""}, not ${shown(value)}`);
    return values;
  }
}
