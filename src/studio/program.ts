/** Other commands of boostcluster, each in a process of its own, so that the studio answers meanwhile. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { InputError } from "../files/errors.ts";

/** `command`: Node's own options and the program. Throws what the command says where it fails. */
export async function runCommand(command: readonly string[], args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [...command, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0)
    throw new InputError(
      said
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/^boostcluster: /, "") ?? "it failed",
    );
}
