/** `boostcluster studio`: look at clusters and correct them, on a page that this machine serves. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { InputError } from "../../files/errors.ts";
import { subjectOf } from "../../studio/subject.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { given, type OptionSpecs, parseOptions } from "../options.ts";

const options = {
  port: { kind: "number", help: "Port to listen at.", defaults: "any that is free" },
  host: {
    kind: "text",
    value: "ADDRESS",
    help: "Address of this machine to listen at; with another one, whoever has the token can come from elsewhere.",
    defaults: "127.0.0.1",
  },
  "no-open": { kind: "flag", help: "Do not open a browser." },
  images: { kind: "text", value: "SOURCE", help: "Where the images are, if they have moved." },
  ...folderOptions,
} as const satisfies OptionSpecs;

export const studioCommand: Command = {
  name: "studio",
  usage: "[run|folder|file|name] [options]",
  summary: "Look at clusters in a browser and correct them: rename, merge, split, move, put aside, undo.",
  examples: ["studio runs/flowers", "studio holiday-photos", "studio runs/flowers --port 8080 --no-open"],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], { print, say, signal }: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const [first, ...more] = positionals;
  if (more.length > 0) throw new InputError("studio takes one run, folder, file or name of a set; --help has examples");
  const { port, host, images } = values;
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 2 ** 16))
    throw new InputError(`--port takes a whole number from 0 to ${2 ** 16 - 1}, not ${port}`);
  const subject = subjectOf(first);
  const { startStudio } = await import("../../studio/server.ts");
  const studio = await startStudio(subject, {
    ...given({ port, host, images, dataFolder: values["data-folder"], cacheFolder: values["cache-folder"] }),
    program: process.argv[1],
    say,
  });
  print(studio.address);
  if (!values["no-open"]) openBrowser(studio.address);
  if (!signal.aborted) await once(signal, "abort");
  await studio.close();
}

/** Where there is none, the address is on the screen. */
function openBrowser(address: string): void {
  const [program, ...before] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const child = spawn(program, [...before, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
