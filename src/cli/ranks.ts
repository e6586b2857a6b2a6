/**
 * A command that several ranks run together. Rank 0 alone prints and writes. What can go wrong before the work begins is
 * found out together, so that it is told once and by whom it concerns; later, a rank that fails ends all the others.
 */
import { type Collective, fromFirst, gatherTexts } from "../engine/ranks/collective.ts";
import { type Started, startedRanks } from "../engine/ranks/started-ranks.ts";
import { InputError } from "../files/errors.ts";

/** Rank 0 has said what went wrong. */
export class ToldByFirstError extends Error {
  override readonly name = "ToldByFirstError";
}

/** Done by every rank; where it fails for one, it fails for all, with the same words. */
export async function collectively<Result>(collective: Collective, work: () => Promise<Result>): Promise<Result> {
  if (collective.size === 1) return work();
  let [failure, result]: [unknown, Result | undefined] = [undefined, undefined];
  try {
    result = await work();
  } catch (error) {
    failure = error ?? new Error("no reason was given");
  }
  await collective.meet();
  agree(collective, failure);
  if (result === undefined) throw new Error("work that ranks do together has a result");
  return result;
}

function agree(collective: Collective, failure: unknown): void {
  const messages = gatherTexts(collective, failure === undefined ? "" : messageOf(failure));
  const first = messages.findIndex((message) => message !== "");
  if (first < 0) return;
  collective.close();
  if (collective.rank !== 0) throw new ToldByFirstError(messages[first]);
  // What went wrong for all alike, or for rank 0 itself, needs no rank.
  throw first === 0 ? failure : new InputError(`rank ${first}: ${messages[first]}`);
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** By one rank of each machine first; then its others find what that one has left in the cache. */
export async function firstHere<Result>(
  collective: Collective,
  work: () => Promise<Result>,
  { localRank }: Pick<Started, "localRank"> = startedRanks(),
): Promise<Result> {
  if (collective.size === 1) return work();
  const early = await collectively(collective, async () => (localRank === 0 ? { made: await work() } : {}));
  return collectively(collective, async () => ("made" in early ? early.made : work()));
}

/** By rank 0 alone, which tells the others; what is undefined is null for them. */
export async function byFirst<Result>(collective: Collective, work: () => Promise<Result>): Promise<Result> {
  if (collective.size === 1) return work();
  const { made } = await collectively(collective, async () => ({
    made: collective.rank === 0 ? await work() : undefined,
  }));
  const told: Result = JSON.parse(fromFirst(collective, () => JSON.stringify(made ?? null)));
  return made ?? told;
}

/** Throws, on every rank, where one of them differs from rank 0; `facts` by what they are called. */
export async function expectSame(collective: Collective, facts: Readonly<Record<string, unknown>>): Promise<void> {
  if (collective.size === 1) return;
  const [first, ...others] = gatherTexts(collective, JSON.stringify(facts)).map(readFacts);
  await collectively(collective, async () => {
    others.forEach((other, index) => {
      const names = [...new Set([...Object.keys(first), ...Object.keys(other)])];
      const different = names.find((name) => first[name] !== other[name]);
      if (different !== undefined)
        throw new InputError(
          `rank ${index + 1} differs from rank 0: ${different} is ${other[different] ?? "not given"} there and ` +
            `${first[different] ?? "not given"} here; all ranks must see the same`,
        );
    });
    return true;
  });
}

const readFacts = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(JSON.parse(text)).map(([name, value]) => [name, JSON.stringify(value)]));
