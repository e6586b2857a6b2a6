/** A curve of a few hundred numbers, as SVG: drawn anew with each of them, so it stays as small as it can be. */
import type { JSX } from "preact";

export interface CurveProps {
  readonly title: string;
  readonly values: readonly number[];
  /** The last value in words. */
  readonly last: string;
  /** The axis starts at 0 rather than at the least value. Default: false. */
  readonly fromZero?: boolean;
}

const [width, height] = [320, 96];
const inset = 3;

export function Curve({ title, values, last, fromZero = false }: CurveProps): JSX.Element {
  const least = fromZero ? 0 : Math.min(...values);
  const range = Math.max(...values) - least || 1;
  const points = values.map((value, index) => {
    const x = inset + (index / Math.max(1, values.length - 1)) * (width - 2 * inset);
    const y = height - inset - ((value - least) / range) * (height - 2 * inset);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <figure class="curve">
      <figcaption>
        {title} <b>{last}</b>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}, now ${last}`}>
        <polyline points={points.join(" ")} />
        {points.length > 0 && (
          <circle cx={points[points.length - 1].split(",")[0]} cy={points[points.length - 1].split(",")[1]} r="3" />
        )}
      </svg>
    </figure>
  );
}
