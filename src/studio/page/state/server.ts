/** Requests to the server. What it refuses is an `Error` with the line that it says. */
import type {
  ImageDetails,
  ImageFacts,
  LearnedChange,
  MapData,
  OrganizePreview,
  OrganizeRequest,
  OrganizeResult,
  Question,
  SplitPreview,
  SplitPreviewRequest,
  StudioState,
} from "../../api.ts";

async function answer(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(`api/${path}`, init).catch(() => {
    throw new Error("The studio does not answer. Is it still running?");
  });
  if (!response.ok) throw new Error(await reasonOf(response));
  return response;
}

async function reasonOf(response: Response): Promise<string> {
  const said: unknown = await response.json().catch(() => undefined);
  if (typeof said === "object" && said !== null && "error" in said) return String(said.error);
  return `The studio answered with status ${response.status}.`;
}

const numbers = async (path: string, signal?: AbortSignal): Promise<Int32Array> =>
  new Int32Array(await (await answer(path, signal === undefined ? {} : { signal })).arrayBuffer());

const json = async <Value>(path: string, signal?: AbortSignal): Promise<Value> =>
  (await answer(path, signal === undefined ? {} : { signal })).json();

const post = async <Value>(path: string, body: unknown = {}): Promise<Value> =>
  (
    await answer(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  ).json();

export const getState = (): Promise<StudioState> => json("studio");
export const getImages = (of: string, query: string, signal?: AbortSignal): Promise<Int32Array> =>
  numbers(`clusters/${of}/images?${query}`, signal);
export const getAssignments = (): Promise<Int32Array> => numbers("assignments");
export const getFacts = (images: readonly number[]): Promise<ImageFacts[]> =>
  json(`images?numbers=${images.join(",")}`);
export const getQuestions = (count: number): Promise<Question[]> => json(`questions?count=${count}`);
export const getContradictions = (): Promise<string[]> => json("contradictions");
export const getChanges = (): Promise<LearnedChange[]> => json("learning/changes");
export const getDetails = (image: number, signal?: AbortSignal): Promise<ImageDetails> =>
  json(`images/${image}`, signal);
export const postState = (path: string, body?: unknown): Promise<StudioState> => post(path, body);
export const previewSplit = (request: SplitPreviewRequest): Promise<SplitPreview> => post("split-preview", request);
export const previewOrganize = (request: OrganizeRequest): Promise<OrganizePreview> =>
  post("organize-preview", request);
export const organize = (request: OrganizeRequest): Promise<OrganizeResult> => post("organize", request);

/** The map, or how much of it is computed. */
export async function getMap(): Promise<MapData | { readonly done: number }> {
  return (await answer("map")).json();
}
