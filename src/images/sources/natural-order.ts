/**
 * The order in which people count files: `a2` before `a10`, a folder's files together. It does not depend on the
 * system's collation, so that it is the same on every machine.
 */
export function sortNaturally<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, parts: partsOf(nameOf(item)) }))
    .sort((a, b) => compareParts(a.parts, b.parts))
    .map(({ item }) => item);
}

/** Runs of digits and of other characters, and the ends of folders' names, which sort before everything else. */
const partsOf = (name: string): string[] => name.replaceAll("/", "\0").match(/\0|\d+|[^\d\0]+/g) ?? [];

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = comparePart(a[index], b[index]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const isNumber = (part: string): boolean => /^\d/.test(part);

function comparePart(a: string, b: string): number {
  if (!(isNumber(a) && isNumber(b))) return compareTexts(a, b);
  const [left, right] = [a, b].map((digits) => digits.replace(/^0+/, ""));
  return left.length - right.length || compareTexts(left, right) || compareTexts(a, b);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
