/** The contents of the report, from top to bottom. Sections without data are left out. */
import type { SessionOptions } from "../engine/session.ts";
import { againstLabelsSection } from "./against-labels.ts";
import { belongsNowhereSection } from "./belongs-nowhere.ts";
import { certaintySection } from "./certainty.ts";
import { clustersSection } from "./clusters.ts";
import { countSection } from "./count.ts";
import type { Html } from "./html.ts";
import { mapSection } from "./map.ts";
import { networkSection } from "./network.ts";
import { isPixelated } from "./pictures.ts";
import type { ReportContext, Section } from "./section.ts";
import { settingsSection } from "./settings.ts";
import { stacksSection } from "./stacks.ts";
import { type Subject, titleOf } from "./subject.ts";
import { renderSummary } from "./summary.ts";
import { trainingSection } from "./training.ts";
import { usageSection } from "./usage.ts";

export interface Contents {
  readonly title: string;
  /** Whether the images are small enough to be shown pixel by pixel. */
  readonly pixelated: boolean;
  /** Above all sections. */
  readonly summary: Html;
  readonly sections: readonly Section[];
}

export async function contentsOf(
  subject: Subject,
  context: ReportContext,
  sessionOptions: SessionOptions = {},
): Promise<Contents> {
  const sections = [
    await clustersSection(subject),
    await stacksSection(subject),
    await certaintySection(subject),
    await belongsNowhereSection(subject),
    await mapSection(subject, context),
    countSection(subject),
    await trainingSection(subject, context),
    await againstLabelsSection(subject),
    await networkSection(subject, sessionOptions),
    settingsSection(subject),
    usageSection(subject, context),
  ];
  return {
    title: titleOf(subject.record),
    pixelated: isPixelated(subject.dataset.image),
    summary: renderSummary(subject),
    sections: sections.filter((section) => section !== undefined),
  };
}
