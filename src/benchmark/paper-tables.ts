/** The paper's results: its Tables 3 to 6. */

export type PaperDataset = "mnist" | "usps" | "coil-20" | "coil-100";

export interface PaperNumbers {
  readonly acc?: number;
  readonly nmi?: number;
  /** A caveat of the comparison. */
  readonly note?: string;
}

/** In the order of the paper; a method that a table lacks was not tried on that dataset. */
export const paperTables: Readonly<Record<PaperDataset, Readonly<Record<string, PaperNumbers>>>> = {
  mnist: {
    kms: { acc: 0.535, nmi: 0.531 },
    "dae-kms": { acc: 0.818 },
    aec: { acc: 0.76, nmi: 0.669 },
    iec: { acc: 0.609, nmi: 0.542 },
    dcn: { acc: 0.58, nmi: 0.63, note: "on raw images, as here; on pre-processed ones ACC 0.93 and NMI 0.85" },
    dec: { acc: 0.843 },
    "fcae-kms": { acc: 0.794, nmi: 0.698 },
    dbc: { acc: 0.964, nmi: 0.917 },
  },
  usps: {
    kms: { acc: 0.535, nmi: 0.531 },
    aec: { acc: 0.715, nmi: 0.651 },
    iec: { acc: 0.767, nmi: 0.641 },
    "fcae-kms": { acc: 0.667, nmi: 0.645 },
    dbc: { acc: 0.743, nmi: 0.724 },
  },
  "coil-20": {
    kms: { acc: 0.592, nmi: 0.767 },
    den: { acc: 0.725, nmi: 0.87 },
    "fcae-kms": { acc: 0.787, nmi: 0.882 },
    dbc: { acc: 0.793, nmi: 0.895 },
  },
  "coil-100": {
    kms: { acc: 0.506, nmi: 0.772 },
    iec: { acc: 0.546, nmi: 0.787 },
    "fcae-kms": { acc: 0.766, nmi: 0.897 },
    dbc: { acc: 0.775, nmi: 0.905 },
  },
};

export const paperDatasets: readonly PaperDataset[] = ["mnist", "usps", "coil-20", "coil-100"];

/** The methods that the paper tried on a dataset, in its order; none if it did not use the dataset. */
export const paperMethods = (dataset: string): readonly string[] => Object.keys(tableOf(dataset));

/** Empty where the paper reports nothing. */
export const paperNumbers = (dataset: string, method: string): PaperNumbers => tableOf(dataset)[method] ?? {};

function tableOf(dataset: string): Readonly<Record<string, PaperNumbers>> {
  const known = paperDatasets.find((name) => name === dataset);
  return known === undefined ? {} : paperTables[known];
}
