/** Settings beside settings: is it the same work? */
import type { Settings } from "../runs/fitted.ts";

/** What says where the work is done, not what is done; results may differ in the last bits. */
const ofTheMachine = new Set(["threads", "device"]);

/** The settings of `now` that were something else before. */
export function changedSettings(before: Settings, now: Settings): string[] {
  return Object.keys(now).filter(
    (name) => !ofTheMachine.has(name) && JSON.stringify(before[name]) !== JSON.stringify(now[name]),
  );
}

export const settingText = (settings: Settings, name: string): string =>
  settings[name] === undefined ? "not given" : JSON.stringify(settings[name]).replaceAll('"', "");
