/** What is known of samples before they are clustered. */
export type SamplePair = readonly [number, number];

export interface SampleConstraints {
  /** Of each sample, a label that it shares with others of its cluster; −1 where nothing is known. */
  readonly known: Int32Array;
  /** Pairs of samples in one cluster. */
  readonly together: readonly SamplePair[];
  /** Pairs of samples in two clusters. */
  readonly apart: readonly SamplePair[];
}

/** Some of the samples, numbered anew in the given order; a pair is left out where one of its two is. */
export function constraintsAmong(
  { known, together, apart }: SampleConstraints,
  chosen: Uint32Array,
): SampleConstraints {
  if (chosen.length === known.length) return { known, together, apart };
  const places = new Map(Array.from(chosen, (sample, place) => [sample, place] as const));
  const among = (pairs: readonly SamplePair[]): SamplePair[] =>
    pairs.flatMap(([a, b]): SamplePair[] => {
      const [first, second] = [places.get(a), places.get(b)];
      return first === undefined || second === undefined ? [] : [[first, second]];
    });
  return {
    known: Int32Array.from(chosen, (sample) => known[sample]),
    together: among(together),
    apart: among(apart),
  };
}

/** The same in pairs alone: of each label its samples one after another, and its first one apart from the others' first. */
export function inPairs({ known, together, apart }: SampleConstraints): Omit<SampleConstraints, "known"> {
  const last = new Map<number, number>();
  const firsts: number[] = [];
  const linked: SamplePair[] = [];
  known.forEach((label, sample) => {
    if (label < 0) return;
    const before = last.get(label);
    if (before === undefined) firsts.push(sample);
    else linked.push([before, sample]);
    last.set(label, sample);
  });
  const parted = firsts.flatMap((a, index) => firsts.slice(index + 1).map((b): SamplePair => [a, b]));
  return { together: [...together, ...linked], apart: [...apart, ...parted] };
}
