import { expect, test } from "vitest";
import { Random } from "../../numeric/random.ts";
import { consistentStatements, type PairStatement, type Placement } from "./consistent-statements.ts";

const [images, clusters] = [12, 3];

type Statement = Placement | PairStatement;

/** Straight from what the words mean: images are relabelled until nothing changes. */
function goTogether(statements: readonly Statement[]): boolean {
  const groups = Array.from({ length: images + clusters }, (_, node) => node);
  const join = (a: number, b: number): void => {
    const [from, to] = [groups[a], groups[b]];
    groups.forEach((group, node) => {
      if (group === from) groups[node] = to;
    });
  };
  for (const statement of statements)
    if (!("pair" in statement)) join(statement.image, images + statement.cluster);
    else if (statement.together) join(...statement.pair);
  const apart = statements.flatMap((one) => ("pair" in one && !one.together ? [one.pair] : []));
  return new Set(groups.slice(images)).size === clusters && apart.every(([a, b]) => groups[a] !== groups[b]);
}

function randomStatements(seed: number): readonly Statement[] {
  const random = new Random(seed, "statements");
  return Array.from({ length: 30 }, (_, index): Statement => {
    const number = index + 1;
    const image = random.integer(images);
    if (random.integer(3) === 0) return { image, cluster: random.integer(clusters), number };
    const other = (image + 1 + random.integer(images - 1)) % images;
    return { pair: [image, other], together: random.integer(2) === 0, number };
  });
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "what is taken goes together, and what is not contradicts what was said later (%i)",
  (seed) => {
    const all = randomStatements(seed);
    const { placements, pairs, contradictions } = consistentStatements(
      all.filter((one): one is Placement => !("pair" in one)),
      all.filter((one): one is PairStatement => "pair" in one),
      images,
    );
    const taken: readonly Statement[] = [...placements, ...pairs];
    expect(goTogether(taken)).toBe(true);
    expect(contradictions).toHaveLength(all.length - taken.length);
    expect(contradictions.length).toBeGreaterThan(0);
    for (const { earlier, later } of contradictions) {
      const between = taken.filter(({ number }) => number > earlier && number <= later);
      const refused = all[earlier - 1];
      expect(goTogether([...between, refused]), `${earlier} and those up to ${later}`).toBe(false);
    }
  },
);
