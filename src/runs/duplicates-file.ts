/** `duplicates.csv` of a run: one line per file that is in a stack. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { csvLine, csvRows } from "../files/csv.ts";
import { DamagedFileError } from "../files/errors.ts";
import type { Stack, StackMember } from "../images/duplicates/stacks.ts";

const columns = ["stack", "file", "kind", "width", "height", "sharpness"];

export const duplicatesFile = "duplicates.csv";

/** Lines of CSV with a heading; stacks are numbered from 1. */
export function* duplicatesLines(stacks: readonly Stack[], itemName: (image: number) => string): Generator<string> {
  yield `${columns.join(",")}\n`;
  for (const [index, members] of stacks.entries())
    for (const { image, kind, width, height, sharpness } of members)
      yield `${csvLine([index + 1, itemName(image), kind, width, height, Number(sharpness.toPrecision(4))])}\n`;
}

/** The stacks of a saved run, whose images are `items`; none where it has none. */
export function readStacks(folder: string, items: readonly string[]): Stack[] {
  const path = join(folder, duplicatesFile);
  if (!existsSync(path)) return [];
  const images = new Map(items.map((item, image) => [item, image]));
  const stacks = new Map<string, StackMember[]>();
  for (const [stack, file, kind, ...numbers] of [...csvRows(readFileSync(path, "utf8"))].slice(1)) {
    const image = images.get(file);
    const [width, height, sharpness] = numbers.map(Number);
    if (image === undefined || (kind !== "best" && kind !== "exact" && kind !== "near"))
      throw new DamagedFileError(
        `${path}: it does not go with the run's assignments; delete it, and copies are not shown`,
      );
    stacks.set(stack, [...(stacks.get(stack) ?? []), { image, kind, width, height, sharpness }]);
  }
  return [...stacks.values()];
}
