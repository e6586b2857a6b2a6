/** The points of several groups as dots, each group in its colour. */
import { dots, element } from "./svg.ts";
import type { Point } from "./thumbnails.ts";

interface GroupDotsOptions {
  /** The group of each point. */
  readonly groups: ArrayLike<number>;
  /** The colour of each group, as CSS. */
  readonly colours: readonly string[];
  /** Every pass draws a share of each group: otherwise the last group would cover the others. */
  readonly passes: number;
}

/** SVG paths, to be stroked with round ends. */
export function groupDots(points: readonly Point[], { groups, colours, passes }: GroupDotsOptions): string[] {
  const shares = Array.from({ length: passes }, () => colours.map((): Point[] => []));
  points.forEach((point, index) => {
    shares[index % passes][groups[index]].push(point);
  });
  return shares.flatMap((share) =>
    share.flatMap((members, group) =>
      members.length === 0 ? [] : [element("path", { d: dots(members), stroke: colours[group] })],
    ),
  );
}
