/** `boostcluster ask` in a process of its own: comparing all images takes long, and the studio answers meanwhile. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { InputError } from "../../files/errors.ts";
import type { Question } from "../api.ts";

/** `args`: of `ask`. Throws what the command says where it fails. */
export async function askedQuestions(
  command: readonly string[],
  args: readonly string[],
): Promise<readonly Question[]> {
  const child = spawn(process.execPath, [...command, "ask", ...args, "--json"], {
    // By the channel the process hears when this one ends, however it does.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("the process has no output");
  const [[code], answer, said] = await Promise.all([once(child, "exit"), text(stdout), text(stderr)]);
  if (code !== 0)
    throw new InputError(
      said
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/^boostcluster: /, "") || "it failed",
    );
  // The process is of this very version.
  const { questions }: { readonly questions: readonly Question[] } = JSON.parse(answer);
  return questions;
}
