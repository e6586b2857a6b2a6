/** A lesson: questions in rounds, answers, and from time to time what has been learned from them. */
import { InputError } from "../../files/errors.ts";
import type { Images } from "../../images/dataset.ts";
import type { Question } from "../../methods/dbc/ask.ts";
import type { Learned } from "../../methods/dbc/learned.ts";
import { type RefineOptions, refine } from "../../methods/dbc/refine.ts";
import { clusterNumbers, renumbered } from "../../methods/dbc/refined-clusters.ts";
import { constraintsOf, type DecidedConstraints } from "../../runs/decisions/constraints.ts";
import type { Decision } from "../../runs/decisions/decision.ts";
import { foldDecisions } from "../../runs/decisions/fold-decisions.ts";
import type { Fitted, Settings } from "../../runs/fitted.ts";
import type { BaseRun } from "./base-run.ts";
import type { Answered, ClicksPoint } from "./clicks-cell.ts";
import { type Compare, comparisonNames } from "./comparisons.ts";
import type { Person } from "./simulated-person.ts";
import type { Questioner } from "./variants.ts";

/** Refinement, or what stands for it in a test. */
export type Refine = (
  images: Images,
  learned: Learned,
  constraints: DecidedConstraints,
  options: RefineOptions,
) => Promise<Pick<Fitted, "assignments" | "settings">>;

export interface LessonOptions {
  readonly person: Person;
  readonly questions: Questioner;
  /** What others make of the answers. Default: they are not asked. */
  readonly compare?: Compare;
  /** Default: our own, with seed and threads of the run. */
  readonly refine?: Refine;
  readonly refineOptions: RefineOptions;
  /** A clock in milliseconds. */
  readonly clock: () => number;
}

/** Questions of one round: nothing is learned between the rounds, but what was answered is known. */
const roundOf = (answered: number): number => (answered < 200 ? 20 : 50);

export class Lesson {
  readonly #images: Images;
  readonly #run: BaseRun;
  readonly #options: LessonOptions;
  readonly #decisions: Decision[] = [];
  readonly #answers: Answered[] = [];
  #settings: Settings = {};

  constructor(images: Images, run: BaseRun, options: LessonOptions) {
    this.#images = images;
    this.#run = run;
    this.#options = options;
  }

  get answers(): readonly Answered[] {
    return this.#answers;
  }

  /** Of the last refinement. */
  get refineSettings(): Settings {
    return this.#settings;
  }

  /** Asks the person again what they answered before, so that all is as it was. */
  repeat(answers: readonly Answered[], settings: Settings): void {
    answers.forEach(({ asked, said }, index) => {
      if (this.#ask(asked) !== said)
        throw new InputError(`answer ${index + 1} would be another now; delete the file, and it is made again`);
    });
    this.#settings = settings;
  }

  /** Asks until so many answers were given, and measures what is learned from them. */
  async point(answers: number): Promise<ClicksPoint> {
    while (this.#answers.length < answers) {
      const asked = this.#answers.length;
      const count = Math.min(roundOf(asked), answers - asked);
      const round = await this.#options.questions(this.#constraints(), { count, asked });
      if (round.length === 0) break;
      for (const question of round) this.#ask(question);
    }
    return this.#measure(answers);
  }

  #ask(asked: Question): Answered["said"] {
    const action = this.#options.person.answer(asked, foldDecisions(this.#decisions, this.#run.model));
    this.#decisions.push({ number: this.#decisions.length + 1, at: "", ...action });
    this.#answers.push({ asked, said: action.kind });
    return action.kind;
  }

  #constraints(): DecidedConstraints {
    return constraintsOf(this.#decisions, this.#run.model);
  }

  async #measure(answers: number): Promise<ClicksPoint> {
    const { person, compare, clock } = this.#options;
    const constraints = this.#constraints();
    const start = clock();
    const clusters = await this.#learned(constraints);
    const seconds = this.#answers.length === 0 ? 0 : (clock() - start) / 1000;
    const point = { answers, given: this.#answers.length, clusters: clusterNumbers(constraints.decided).size, seconds };
    const judged = { ...point, ...person.judge(clusters) };
    if (compare === undefined) return judged;
    const others = compare(constraints);
    const [propagation, kMeans] = comparisonNames;
    const comparisons = {
      [propagation]: person.judge(others[propagation]),
      [kMeans]: person.judge(others[kMeans]),
    };
    return { ...judged, comparisons };
  }

  /** Known images are where they were put, the others where the refined model puts them. */
  async #learned(constraints: DecidedConstraints): Promise<Int32Array> {
    const { model, learned } = this.#run;
    if (this.#answers.length === 0) return model.assignments;
    const { refine: learn = refine, refineOptions } = this.#options;
    const { assignments, settings } = await learn(this.#images, learned, constraints, refineOptions);
    this.#settings = settings;
    const known = renumbered(constraints.known, clusterNumbers(constraints.decided));
    return assignments.map((cluster, image) => (known[image] < 0 ? cluster : known[image]));
  }
}
