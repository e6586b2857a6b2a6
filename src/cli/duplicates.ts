/** Copies among the files of a folder, for the commands that look for them. */
import { InputError } from "../files/errors.ts";
import type { Dataset, Images } from "../images/dataset.ts";
import { copyCount, findStacks, type Stack } from "../images/duplicates/stacks.ts";
import { counted } from "../numeric/format.ts";
import type { CommandContext } from "./command.ts";
import type { OptionSpecs } from "./options.ts";
import type { ProgressDisplay } from "./progress-display.ts";

export const duplicatesOption = {
  duplicates: {
    kind: "choice",
    choices: ["stack", "keep"],
    help: "How copies of one picture in a folder count: once, as a stack, or each by itself.",
    defaults: "stack",
    group: "Images",
  },
} as const satisfies OptionSpecs;

interface Wishes {
  readonly duplicates: "stack" | "keep" | undefined;
  readonly "cache-folder": string | undefined;
}

/** The stacks of a folder; undefined where every image counts. */
export async function stacksIn(
  dataset: Images,
  values: Wishes,
  { signal }: Pick<CommandContext, "signal">,
  display: ProgressDisplay,
): Promise<Stack[] | undefined> {
  if (values.duplicates === "keep" || dataset.origin.fit === undefined) return undefined;
  const stacks = await findStacks(dataset, {
    cacheFolder: values["cache-folder"],
    signal,
    onProgress: (step, done, total) => display.step(`copies: ${step}`, done, total),
  });
  display.end();
  if (stacks.length > 0) display.line(stacksText(stacks));
  return stacks;
}

/** "12 files are copies of others, in 9 stacks". */
export function stacksText(stacks: readonly Stack[]): string {
  const copies = copyCount(stacks);
  const are = copies === 1 ? "is a copy of another" : "are copies of others";
  return `${counted(copies, "file")} ${are}, in ${counted(stacks.length, "stack")}`;
}

export function expectDistinct(k: number | "auto", all: Dataset, distinct: Dataset): void {
  if (k === "auto" || k <= distinct.count || k > all.count) return;
  throw new InputError(
    `${all.name}: ${k} clusters are more than its ${distinct.count} distinct images, as the other ` +
      `${all.count - distinct.count} are copies; lower -k, or give --duplicates keep`,
  );
}
