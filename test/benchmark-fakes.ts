/** Fake methods and cells of a benchmark, for tests. */
import { type CellRecord, cellFormat } from "../src/benchmark/cell.ts";
import type { BenchmarkMethod } from "../src/benchmark/contenders.ts";
import type { Images } from "../src/images/dataset.ts";
import type { HistoryEntry, Settings } from "../src/runs/fitted.ts";

/** A clock that is set by hand. */
export class FakeClock {
  milliseconds = 0;
  readonly now = (): number => this.milliseconds;
}

export interface FakeMethodOptions {
  readonly clock?: FakeClock;
  /** Seconds per epoch; there are four epochs. */
  readonly seconds?: number;
  /** More settings, or others. */
  readonly settings?: Settings;
  /** Called with the number of epochs done, before they are saved. */
  readonly onEpoch?: (epoch: number) => void;
}

const epochs = 4;

/** Of shapes, finds all groups by their places, but puts `seed` images into a wrong cluster; saves one checkpoint per epoch. */
export class FakeMethod implements BenchmarkMethod {
  /** The number of calls of `fit`, and the epochs that were run. */
  fits = 0;
  readonly epochsRun: number[] = [];
  /** What it was given. */
  readonly seen: Images[] = [];
  readonly #options: FakeMethodOptions;

  constructor(options: FakeMethodOptions = {}) {
    this.#options = options;
  }

  settings(_: Images, options: object): Settings {
    const numbers = Object.entries(options).filter(([, value]) => typeof value === "number");
    return { pretrainEpochs: 1000, ...Object.fromEntries(numbers), ...this.#options.settings };
  }

  async fit(dataset: Images, options: Parameters<BenchmarkMethod["fit"]>[1]) {
    const { clock = new FakeClock(), seconds = 1, onEpoch } = this.#options;
    const { checkpoints, signal, k, seed = 0 } = options;
    this.fits++;
    for (let epoch = Number(checkpoints?.load()?.notes.epoch ?? 0) + 1; epoch <= epochs; epoch++) {
      clock.milliseconds += 1000 * seconds;
      this.epochsRun.push(epoch);
      onEpoch?.(epoch);
      signal?.throwIfAborted();
      checkpoints?.save({ notes: { epoch }, vectors: {} });
    }
    const history = Array.from({ length: epochs }, (_, index): HistoryEntry => {
      return { stage: index < 3 ? "auto-encoder" : "clustering", epoch: index + 1, loss: 1 };
    });
    this.seen.push(dataset);
    const assignments = Int32Array.from({ length: dataset.count }, (_, image) => (image + Number(image < seed)) % k);
    return { settings: this.settings(dataset, options), assignments, history, converged: true };
  }
}

/** A finished cell; facts that a test does not give do not matter to it. */
export function fakeCell(facts: Partial<CellRecord> & { readonly acc?: number; readonly nmi?: number }): CellRecord {
  const { acc = 0.5, nmi = 0.5, ...record } = facts;
  return {
    format: cellFormat,
    dataset: { name: "mnist", count: 70_000, image: { channels: 1, height: 28, width: 28 }, fingerprint: "digits" },
    method: "dbc",
    effort: "paper",
    seed: 0,
    k: 10,
    settings: { seed: facts.seed ?? 0, epochs: 50 },
    fullSchedule: {},
    metrics: { acc, nmi, nmiArithmetic: nmi, ari: 0, homogeneity: 0, completeness: 0, purity: 0 },
    sizes: [],
    converged: true,
    epochs: {},
    seconds: 60,
    versions: { boostcluster: "1.2.3", onnxruntime: "4.5.6", node: "20.0.0", platform: "linux-x64" },
    machine: { cpu: "Abacus", cores: 2, memoryGB: 8 },
    ...record,
  };
}
