/** Numbers as people read them. */

const whole = new Intl.NumberFormat("en");

export const formatted = (count: number): string => whole.format(count);

export const counted = (count: number, thing: string): string =>
  `${formatted(count)} ${thing}${count === 1 ? "" : "s"}`;

export const score = (value: number): string => value.toFixed(2);

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
