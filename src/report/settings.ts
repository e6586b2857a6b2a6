/** All settings of the run, and the versions that it was made with. */
import type { RunRecord } from "../runs/run-record.ts";
import { type Html, html } from "./html.ts";
import type { Section } from "./section.ts";
import type { Subject } from "./subject.ts";

type Row = readonly [name: string, value: string];
type Setting = RunRecord["settings"][string];

export function settingsSection({ record }: Subject): Section {
  const { versions, settings, method, architecture } = record;
  const rows: readonly Row[] = [
    ["method", method],
    ...Object.entries(settings).map(([name, value]) => [inWords(name), settingText(value)] as const),
    ...("network" in settings ? [] : [["network", architecture.name] as const]),
    ["boostcluster", versions.boostcluster],
    ["ONNX Runtime", versions.onnxruntime],
    ["Node", `${versions.node}, ${versions.platform}`],
  ];
  const half = Math.ceil(rows.length / 2);
  return {
    id: "settings",
    title: "The settings",
    body: html`<div class="halves">${table(rows.slice(0, half))}${table(rows.slice(half))}</div>`,
  };
}

function table(rows: readonly Row[]): Html {
  const lines = rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`);
  return html`<table><tbody>\n${lines}</tbody></table>\n`;
}

/** pretrainEpochs → pretrain epochs */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function settingText(value: Setting): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(settingText).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => (name === "kind" ? settingText(part) : `${inWords(name)} ${settingText(part)}`))
    .join(", ");
}
