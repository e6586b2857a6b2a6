/** The images that stand for a cluster, which are never among those that belong nowhere. */
import { type ClusterRow, selectTypical } from "../figures/gallery.ts";
import type { Subject } from "./subject.ts";

/** Whether an image belongs nowhere. */
export const isNone = ({ run }: Subject, image: number): boolean => run.assignments[image].none === true;

/** A cluster of which no image belongs anywhere shows those that it has. */
export function typicalRows(subject: Subject, count: number): ClusterRow[] {
  const aside = subject.record.none ?? 0;
  return selectTypical(subject.shown, count + aside).map((row) => {
    const belonging = row.typical.filter(({ image }) => !isNone(subject, image));
    return { ...row, typical: (belonging.length === 0 ? row.typical : belonging).slice(0, count) };
  });
}
