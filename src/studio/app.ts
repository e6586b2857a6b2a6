/** The addresses of the studio, as `api.ts` lists them. */
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { InputError, reasonOf } from "../files/errors.ts";
import type { EventStreams } from "./event-streams.ts";
import { type GuardOptions, guard, headers } from "./guard.ts";
import { malformed, Refusal } from "./refusal.ts";
import {
  acceptRequest,
  decisionRequest,
  imageNumbers,
  imageQuery,
  organizeRequest,
  questionCount,
  splitPreviewRequest,
  trainingRequest,
  wholeNumber,
} from "./requests.ts";
import type { StaticFile } from "./static-files.ts";
import type { Studio } from "./studio.ts";

export interface AppOptions extends GuardOptions {
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly streams: EventStreams;
  /** Told of what should not have happened. */
  readonly say: (text: string) => void;
}

const largestBody = 8 * 2 ** 20;

export function studioApp(studio: Studio, { files, streams, say, ...guarded }: AppOptions): Hono {
  const app = new Hono();
  app.use(headers, guard(guarded));
  app.onError((error, context) => {
    if (error instanceof Refusal) return context.json({ error: error.message }, error.status);
    if (error instanceof InputError) return context.json({ error: error.message }, 409);
    say(`unexpected: ${reasonOf(error)}`);
    return context.json({ error: "something went wrong; the terminal says what" }, 500);
  });
  app.notFound((context) => context.json({ error: "there is nothing at this address" }, 404));
  app.route("/api", api(studio, streams));
  app.get("*", (context) => {
    const file = files.get(context.req.path);
    if (file === undefined) return context.notFound();
    context.header("content-type", file.type);
    context.header("cache-control", file.lasting ? "private, max-age=31536000, immutable" : "no-cache");
    return context.body(file.content);
  });
  return app;
}

function api(studio: Studio, streams: EventStreams): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    context.header("cache-control", "no-store");
    await next();
  });
  app.use(
    bodyLimit({
      maxSize: largestBody,
      onError: () => {
        throw new Refusal(413, `the request is larger than ${largestBody / 2 ** 20} MB`);
      },
    }),
  );
  lookRoutes(app, studio);
  changeRoutes(app, studio);
  app.get("/events", (context) => {
    const { revision, training, learning } = studio.state();
    return streams.open(context, [
      { kind: "state", revision },
      ...(training === undefined ? [] : [{ kind: "training", training } as const]),
      ...(learning === undefined ? [] : [{ kind: "learning", learning } as const]),
    ]);
  });
  return app;
}

function lookRoutes(app: Hono, studio: Studio): void {
  const image = (given: string): number => {
    const number = Number(given);
    if (given.length > 15 || number >= studio.count) throw new Refusal(404, "there is no such image");
    return wholeNumber(number, "image");
  };
  app.get("/studio", (context) => context.json(studio.state()));
  app.get("/assignments", (context) => context.body(studio.run.assignments().buffer));
  app.get("/clusters/:cluster/images", (context) => {
    const query = imageQuery(context.req.param("cluster"), context.req.query(), studio.count);
    context.header("content-type", "application/octet-stream");
    return context.body(studio.run.images(query).buffer);
  });
  app.get("/images", (context) => {
    const numbers = imageNumbers(context.req.query("numbers") ?? "", studio.count);
    return context.json(numbers.map((number) => studio.facts(number)));
  });
  app.get("/images/:image{[0-9]+}", async (context) =>
    context.json(await studio.details(image(context.req.param("image")))),
  );
  for (const kind of ["thumbnail", "picture"] as const)
    app.get(`/images/:image{[0-9]+}/${kind}`, async (context) => {
      const number = image(context.req.param("image"));
      const bytes = await studio[kind](number).catch((error: unknown) => {
        throw new Refusal(404, `the image cannot be shown: ${reasonOf(error)}`);
      });
      context.header("content-type", "image/webp");
      context.header("cache-control", "private, max-age=600");
      return context.body(bytes);
    });
  app.get("/questions", async (context) =>
    context.json(await studio.run.questions(questionCount(context.req.query("count")))),
  );
  app.get("/contradictions", async (context) => context.json(await studio.run.contradictions()));
  app.get("/learning/changes", (context) => context.json(studio.learning.changes()));
  app.get("/map", (context) => {
    const map = studio.run.map.get();
    if ("failed" in map) throw new Refusal(409, `the map could not be made: ${map.failed}`);
    return context.json(map, "done" in map ? 202 : 200);
  });
}

function changeRoutes(app: Hono, studio: Studio): void {
  const post = (path: string, answer: (body: unknown) => unknown): void => {
    app.post(path, async ({ req, json }) => {
      if (!/^application\/json\b/i.test(req.header("content-type") ?? ""))
        throw new Refusal(415, "a request must be JSON, and say so");
      const text = await req.text();
      return json(await answer(parse(text)));
    });
  };
  post("/decisions", (body) => {
    const request = decisionRequest(body, studio.count);
    return studio.change((run) => run.decide(request));
  });
  post("/undo", () => studio.change((run) => run.undo()));
  post("/redo", () => studio.change((run) => run.redo()));
  post("/split-preview", (body) => studio.run.splitPreview(splitPreviewRequest(body)));
  post("/organize-preview", (body) => studio.organizePreview(organizeRequest(body)));
  post("/organize", (body) => studio.organize(organizeRequest(body)));
  post("/learning/start", () => studio.learn((learning) => learning.start()));
  post("/learning/stop", () => studio.learn((learning) => learning.stop()));
  post("/learning/accept", (body) => {
    const { images } = acceptRequest(body, studio.count);
    return studio.learn((learning) => learning.accept(images));
  });
  post("/learning/discard", () => studio.learn((learning) => learning.discard()));
  post("/training/start", (body) => studio.startTraining(trainingRequest(body, studio.backbones())));
  post("/training/stop", () => studio.stopTraining());
  post("/training/continue", () => studio.continueTraining());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("the request is not JSON");
  }
}
