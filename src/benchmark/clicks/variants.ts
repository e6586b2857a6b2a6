/** Who is asked what. */
import type { Images } from "../../images/dataset.ts";
import { type AskOptions, ask, type Question } from "../../methods/dbc/ask.ts";
import { Random } from "../../numeric/random.ts";
import type { DecidedConstraints } from "../../runs/decisions/constraints.ts";
import type { BaseRun } from "./base-run.ts";

export interface Variant {
  /** The name in tables. */
  readonly title: string;
  readonly questions: "telling" | "random";
  /** The share of answers that are wrong. */
  readonly wrong: number;
  /** Whether others are given the same answers. */
  readonly compared: boolean;
}

/** By the names that they have in files. */
export const variants = {
  ask: { title: "ask", questions: "telling", wrong: 0, compared: true },
  wrong: { title: "ask, a tenth wrong", questions: "telling", wrong: 0.1, compared: false },
  random: { title: "random", questions: "random", wrong: 0, compared: false },
} as const satisfies Record<string, Variant>;

export type VariantName = keyof typeof variants;
export const variantNames: readonly VariantName[] = ["ask", "wrong", "random"];

/** The next questions, at most `count`; `asked` is how many there were before. */
export type Questioner = (
  constraints: DecidedConstraints,
  next: { readonly count: number; readonly asked: number },
) => Promise<readonly Question[]>;

export const tellingQuestions =
  (images: Images, { learned }: BaseRun, options: Pick<AskOptions, "threads" | "signal" | "seen">): Questioner =>
  (constraints, { count }) =>
    ask(images, learned, constraints, { ...options, count });

/** One image after another in random order. */
export function randomQuestions({ count: images }: Images, seed: number): Questioner {
  const order = new Random(seed, "random questions").permutation(images);
  return async (_, { count, asked }) =>
    Array.from(order.subarray(asked, asked + count), (image) => ({
      kind: "image",
      image,
      candidates: [],
      speaksFor: 1,
    }));
}
