/** Compares settings: do they describe the same work? */
import type { Settings } from "../runs/fitted.ts";

/** Settings of the machine, not of the work; results may differ in the last bits. */
const ofTheMachine = new Set(["threads", "device"]);

/** The names of the settings of `now` that differ from `before`. */
export function changedSettings(before: Settings, now: Settings): string[] {
  return Object.keys(now).filter(
    (name) => !ofTheMachine.has(name) && JSON.stringify(before[name]) !== JSON.stringify(now[name]),
  );
}

export const settingText = (settings: Settings, name: string): string =>
  settings[name] === undefined ? "not given" : JSON.stringify(settings[name]).replaceAll('"', "");
