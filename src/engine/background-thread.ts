/** What runs in the thread of a `BackgroundSession`. */
import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "../files/errors.ts";
import type { Answer, Opening, Request } from "./background-session.ts";
import { type Results, Session } from "./session.ts";

if (parentPort === null) throw new Error("this is the code of a thread, which only a BackgroundSession starts");
const port = parentPort;

async function answer(work: () => Promise<Results>): Promise<void> {
  port.postMessage(await work().then((results): Answer => ({ results }), failed));
}

const failed = (failure: unknown): Answer => ({
  failure,
  isInput: failure instanceof InputError,
  option: failure instanceof InputError ? failure.option : undefined,
});

const { program, options }: Opening = workerData;
const session = Session.open(program, options);
port.on("message", async (request: Request) => {
  if (request !== "close") return answer(async () => (await session).run(request.feeds));
  await session.then(
    (opened) => opened.close(),
    () => undefined,
  );
  port.close();
});
await answer(async () => {
  await session;
  return {};
});
