/** A finished run in the studio: what is shown of it, and what is decided about it. */
import { constraintsOf } from "../../runs/decisions/constraints.ts";
import { sayerOf } from "../../runs/decisions/decided-run.ts";
import type { Decision } from "../../runs/decisions/decision.ts";
import { describeDecisions } from "../../runs/decisions/describe-decision.ts";
import type { Decided } from "../../runs/decisions/fold-decisions.ts";
import { readAssignments } from "../../runs/run-folder.ts";
import type { RunImagesOptions } from "../../runs/run-images.ts";
import { type RunRecord, readRecord } from "../../runs/run-record.ts";
import type {
  ClusterFacts,
  DecisionRequest,
  ImageDetails,
  ImageFacts,
  OrganizePreview,
  OrganizeRequest,
  OrganizeResult,
  Question,
  SplitPreview,
  SplitPreviewRequest,
  StudioState,
} from "../api.ts";
import { askedQuestions } from "../learning/questions.ts";
import type { RefinedFrom } from "../learning/refined-run.ts";
import type { PictureSize } from "../pictures/pictures.ts";
import { placeArguments } from "../places.ts";
import { runCommand } from "../program.ts";
import { notNow } from "../refusal.ts";
import { AssignmentsRenewal } from "./assignments-renewal.ts";
import { byScore, clusterFacts } from "./cluster-facts.ts";
import { type ImageQuery, orderedImages } from "./image-order.ts";
import { Likeness } from "./likeness.ts";
import { type Learned, learnAction, makeAction } from "./make-action.ts";
import { organizeNow, organizePreview } from "./organize.ts";
import { RunDecisions } from "./run-decisions.ts";
import { RunMap } from "./run-map.ts";
import { type RunTable, runTable } from "./run-table.ts";
import { partsOf } from "./split-preview.ts";

export interface StudioRunOptions extends Pick<RunImagesOptions, "images" | "dataFolder" | "cacheFolder"> {
  /** Options of Node for processes that are started. */
  readonly node: readonly string[];
  /** The program `boostcluster`. */
  readonly program: string;
}

/** What the state of the studio says of a run. */
export type RunState = Pick<
  StudioState,
  "clusters" | "aside" | "confirmed" | "moved" | "lessons" | "undo" | "redo" | "conflicts" | "readOnly"
>;

const mostNeighbours = 24;
const mostTypical = 12;

export class StudioRun {
  readonly folder: string;
  readonly record: RunRecord;
  readonly table: RunTable;
  readonly map: RunMap;
  readonly #decisions: RunDecisions;
  readonly #likeness: Likeness;
  readonly #renewal: AssignmentsRenewal;
  readonly #command: readonly string[];
  /** All images by score. */
  readonly #ranked: Int32Array;
  /** Options of other commands that say where things are. */
  readonly #places: readonly string[];
  #clusters: readonly ClusterFacts[];
  #asking: Promise<readonly Question[]> | undefined;

  private constructor(
    folder: string,
    record: RunRecord,
    table: RunTable,
    decisions: RunDecisions,
    options: StudioRunOptions,
  ) {
    const { node, program, ...images } = options;
    this.folder = folder;
    this.record = record;
    this.table = table;
    this.map = new RunMap(folder, { node, keep: decisions.readOnly === undefined });
    this.#decisions = decisions;
    this.#likeness = new Likeness(folder);
    this.#command = [...node, program];
    this.#places = placeArguments(options);
    this.#renewal = new AssignmentsRenewal(folder, {
      ...images,
      elsewhere: () => runCommand(this.#command, ["decisions", folder, ...this.#places]),
    });
    this.#ranked = byScore(table);
    this.#clusters = this.#clusterFacts();
  }

  static async open(folder: string, options: StudioRunOptions): Promise<StudioRun> {
    const { node, program, ...images } = options;
    const record = readRecord(folder);
    const table = runTable(readAssignments(folder));
    const decisions = await RunDecisions.open(folder, { ...images, k: record.k, table });
    return new StudioRun(folder, record, table, decisions, options);
  }

  state(): RunState {
    const { decided, undoable, redoable, conflicts, lessons, readOnly } = this.#decisions;
    const total = (of: (facts: ClusterFacts) => number): number =>
      this.#clusters.reduce((sum, facts) => sum + of(facts), 0);
    return {
      clusters: this.#clusters,
      aside: decided.aside,
      confirmed: total(({ confirmed }) => confirmed),
      moved: total(({ moved }) => moved),
      lessons,
      conflicts,
      ...(undoable === undefined ? {} : { undo: undoable }),
      ...(redoable === undefined ? {} : { redo: redoable }),
      ...(readOnly === undefined ? {} : { readOnly }),
    };
  }

  get decided(): Decided {
    return this.#decisions.decided;
  }

  /** All lines of the log. */
  get decisions(): readonly Decision[] {
    return this.#decisions.decisions;
  }

  /** By what a refined run knows what it was refined from. */
  async refinedFrom(): Promise<RefinedFrom> {
    return { decisions: this.decisions, model: await this.#decisions.model(), items: this.table.items };
  }

  /** Decisions that contradict earlier ones, in words. */
  async contradictions(): Promise<readonly string[]> {
    if (this.decisions.length === 0) return [];
    const words = describeDecisions(this.decisions, this.record.k);
    const { contradictions } = constraintsOf(this.decisions, await this.#decisions.model());
    return contradictions.map(
      ({ image, earlier, later }) => `${this.table.items[image]}: ${words[later - 1]}; before, ${words[earlier - 1]}`,
    );
  }

  /** Nobody asks twice at the same time. */
  questions(count: number): Promise<readonly Question[]> {
    this.#asking ??= askedQuestions(this.#command, [this.folder, "--count", String(count), ...this.#places]).finally(
      () => {
        this.#asking = undefined;
      },
    );
    return this.#asking;
  }

  /** The cluster of each image, as decided; −1 where it is put aside. */
  assignments(): Int32Array<ArrayBuffer> {
    return this.#decisions.decided.cluster.slice();
  }

  images(query: ImageQuery): Int32Array<ArrayBuffer> {
    const distances = query.like === undefined ? {} : { distances: this.#likeness.distances(query.like) };
    return orderedImages(query, { table: this.table, decided: this.#decisions.decided, ...distances });
  }

  facts(image: number): ImageFacts {
    const { cluster, confirmed } = this.decided;
    return {
      image,
      name: this.table.items[image],
      ...(cluster[image] < 0 ? {} : { cluster: cluster[image] }),
      modelCluster: this.table.clusters[image],
      score: this.table.scores[image],
      by: sayerOf(this.decided, image),
      confirmed: confirmed[image] === 1,
    };
  }

  details(image: number, size: PictureSize | undefined): ImageDetails {
    const { seconds, scores, margins } = this.table;
    const neighbours = this.#likeness.nearest(image, mostNeighbours);
    const place = this.#placeOf(image, neighbours);
    return {
      ...this.facts(image),
      ...(seconds[image] < 0 ? {} : { secondCluster: seconds[image], secondScore: scores[image] - margins[image] }),
      neighbours,
      ...(place === undefined ? {} : { place }),
      ...size,
    };
  }

  /** Resolves once it is on the disk. */
  async decide(request: DecisionRequest): Promise<void> {
    const { scores } = this.table;
    await this.#decisions.decide((keys, decided) => makeAction(request, { keys, decided, scores }));
    this.#decidedAnew();
  }

  /** What a refined run says, as one decision. */
  async learn(learned: Learned): Promise<void> {
    const { scores } = this.table;
    await this.#decisions.decide((keys, decided) => learnAction(learned, { keys, decided, scores }));
    this.#decidedAnew();
  }

  async undo(): Promise<void> {
    if (!(await this.#decisions.undo())) throw notNow("there is nothing to undo");
    this.#decidedAnew();
  }

  async redo(): Promise<void> {
    if (!(await this.#decisions.redo())) throw notNow("there is nothing to redo");
    this.#decidedAnew();
  }

  /** Nothing is decided by it. */
  async splitPreview({ cluster, parts }: SplitPreviewRequest): Promise<SplitPreview> {
    const images = this.images({ of: cluster, order: "score" });
    if (images.length < 2) throw notNow(`cluster ${cluster} has fewer than two images`);
    const labels = await partsOf(this.#likeness.rows(images), Math.min(parts, images.length));
    const groups = new Map<number, number[]>();
    // From the highest score on: the first of each part are its typical images.
    labels.forEach((label, place) => {
      const group = groups.get(label);
      if (group === undefined) groups.set(label, [images[place]]);
      else group.push(images[place]);
    });
    return {
      parts: [...groups.values()]
        .sort((a, b) => b.length - a.length)
        .map((members) => ({ images: members, typical: members.slice(0, mostTypical) })),
    };
  }

  /** `images`: the folder of them. */
  organizePreview(request: OrganizeRequest, images: string): Promise<OrganizePreview> {
    return organizePreview(request, { run: this.folder, images, command: this.#command });
  }

  async organize(request: OrganizeRequest, images: string): Promise<OrganizeResult> {
    const { readOnly } = this.#decisions;
    if (readOnly !== undefined) throw notNow(readOnly);
    // Decisions need the keys, which are computed from files where the run has them.
    if (request.by === "move") await this.#decisions.prepare();
    return organizeNow(request, { run: this.folder, images, command: this.#command });
  }

  /** Computes, in the background, what a first decision would wait for. */
  async prepare(): Promise<void> {
    if (this.#decisions.readOnly === undefined) await this.#decisions.prepare();
  }

  /** Where another process decides: calls when it has. */
  follow(onChange: () => void): void {
    this.#decisions.follow(() => {
      this.#clusters = this.#clusterFacts();
      onChange();
    });
  }

  async close(): Promise<void> {
    this.map.close();
    this.#likeness.close();
    await this.#decisions.close();
    await this.#renewal.close();
  }

  #decidedAnew(): void {
    this.#clusters = this.#clusterFacts();
    this.#renewal.want();
  }

  #clusterFacts(): readonly ClusterFacts[] {
    return clusterFacts(this.#decisions.decided, this.table, this.#ranked, this.record.k);
  }

  /** An image that is not on the map is between those that it is like most. */
  #placeOf(image: number, neighbours: readonly number[]): readonly [x: number, y: number] | undefined {
    const own = this.map.placeOf(image);
    if (own !== undefined) return own;
    const near = neighbours.flatMap((one) => {
      const place = this.map.placeOf(one);
      return place === undefined ? [] : [place];
    });
    const nearest = near.slice(0, 3);
    if (nearest.length === 0) return undefined;
    const mean = (axis: 0 | 1): number => nearest.reduce((sum, place) => sum + place[axis], 0) / nearest.length;
    return [mean(0), mean(1)];
  }
}
