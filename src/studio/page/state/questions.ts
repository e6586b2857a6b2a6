/** A round of questions: shown one after the other; each answer is a decision, sent at once. */
import { effect, signal } from "@preact/signals";
import type { DecisionRequest, Question } from "../../api.ts";
import { decide, undo, undone } from "./decide.ts";
import { getQuestions } from "./server.ts";
import { clusters, studio } from "./studio.ts";

export type AnswerKind = "confirmed" | "moved" | "new" | "aside" | "same" | "different" | "skipped";

export interface Answered {
  readonly question: Question;
  readonly answer: AnswerKind;
}

export interface Round {
  readonly questions: readonly Question[];
  /** Of the first questions, in their order. */
  readonly answered: readonly Answered[];
  /** Clusters that answers have made. */
  readonly made: readonly number[];
}

const perRound = 20;

export const round = signal<Round | undefined>(undefined);
/** Why nothing can be asked, if so. */
export const refusal = signal<string | undefined>(undefined);
/** While questions are looked for. */
export const asking = signal(false);

/** What was skipped is not asked about again as long as the page is open. */
const skipped = new Set<string>();
/** What undo said of an answer when it was given. */
const undoTexts = new WeakMap<Answered, string | undefined>();

export async function newRound(): Promise<void> {
  if (asking.peek()) return;
  asking.value = true;
  try {
    const questions = await getQuestions(Math.min(200, perRound + skipped.size));
    const fresh = questions.filter((question) => !skipped.has(nameOf(question))).slice(0, perRound);
    round.value = { questions: fresh, answered: [], made: [] };
    refusal.value = undefined;
  } catch (error) {
    refusal.value = error instanceof Error ? error.message : String(error);
    round.value = { questions: [], answered: [], made: [] };
  }
  asking.value = false;
}

const nameOf = (question: Question): string =>
  question.kind === "image" ? `image ${question.image}` : `clusters ${question.clusters.join()}`;

export const currentQuestion = (): Question | undefined => round.value?.questions[round.value.answered.length];

let last: Promise<void> = Promise.resolve();

/** The next question is shown at once; who types fast is not held up by the disk. */
export function answer(kind: AnswerKind, request?: DecisionRequest): void {
  const now = round.peek();
  const question = currentQuestion();
  if (now === undefined || question === undefined) return;
  const given: Answered = { question, answer: kind };
  round.value = { ...now, answered: [...now.answered, given] };
  if (request === undefined) skipped.add(nameOf(question));
  else last = last.then(() => send(given, request));
}

async function send(given: Answered, request: DecisionRequest): Promise<void> {
  const before = new Set(clusters.peek().map(({ cluster }) => cluster));
  if (!(await decide(request, { silent: true }))) return backTo(given);
  undoTexts.set(given, studio.peek()?.undo);
  const made = clusters.peek().flatMap(({ cluster }) => (before.has(cluster) ? [] : [cluster]));
  const now = round.peek();
  if (now !== undefined && made.length > 0) round.value = { ...now, made: [...now.made, ...made] };
}

/** Asks again what was answered last, and takes the answer back. */
export function stepBack(): void {
  last = last.then(async () => {
    const given = round.peek()?.answered.at(-1);
    if (given === undefined) return;
    if (given.answer !== "skipped") return undo({ silent: true });
    skipped.delete(nameOf(given.question));
    backTo(given);
  });
}

function backTo(given: Answered): void {
  const now = round.peek();
  const place = now?.answered.indexOf(given) ?? -1;
  if (now !== undefined && place >= 0) round.value = { ...now, answered: now.answered.slice(0, place) };
}

/** Wherever it was undone, by whichever button: the question is open again. */
effect(() => {
  const what = undone.value?.what;
  const given = round.peek()?.answered.findLast(({ answer: kind }) => kind !== "skipped");
  if (given !== undefined && what !== undefined && undoTexts.get(given) === what) backTo(given);
});
