/** Numbers as people write them. */

/** 10,000 */
export const whole = (count: number): string => count.toLocaleString("en-US");

/** "1 image", "10,000 images". */
export const counted = (count: number, noun: string): string => `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;

/** "87 %"; "100 %" and "0 %" are said only where they are exact. */
export function percent(share: number): string {
  const rounded = Math.round(100 * share);
  if (rounded === 100 && share < 1) return "over 99 %";
  if (rounded === 0 && share > 0) return "under 1 %";
  return `${rounded} %`;
}

/** As part of a sentence: "none", "87 %", "all". */
export const portion = (share: number): string => (share === 0 ? "none" : share === 1 ? "all" : percent(share));

/** A score: "0.98". */
export const scoreText = (score: number): string => score.toFixed(2);

/** The end of a long name tells more than its beginning, which is often a folder. */
export function shortName(name: string, most = 96): string {
  return name.length <= most ? name : `…${name.slice(name.length - most + 1)}`;
}

/** A time as people say it: "12 s", "3 min 5 s", "2 h 40 min". */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const byteUnits = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** "512 bytes", "1.5 GiB". */
export function formatBytes(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** unit;
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : Number(amount.toPrecision(2))} ${byteUnits[unit]}`;
}
