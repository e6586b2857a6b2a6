/** Folders of a run's clusters, from the page: first what would be made, then that. */
import { organizePlan } from "../../export/organize/plan.ts";
import type { InputError } from "../../files/errors.ts";
import { quoted } from "../../files/shell-word.ts";
import type { OrganizePreview, OrganizeRequest, OrganizeResult } from "../api.ts";
import { runCommand } from "../program.ts";
import { notNow } from "../refusal.ts";

export interface OrganizeContext {
  /** The folder of the run. */
  readonly run: string;
  /** The folder of the images. */
  readonly images: string;
  /** Node's own options and the program `boostcluster`. */
  readonly command: readonly string[];
}

export async function organizePreview(
  { by }: OrganizeRequest,
  { run, images }: OrganizeContext,
): Promise<OrganizePreview> {
  const { out, folders, refused } = await organizePlan(run, { by, images });
  return { out, folders, ...(refused === undefined ? {} : { refused: inWords(refused) }) };
}

/** Copies take long: another process makes them. */
export async function organizeNow(
  { by }: OrganizeRequest,
  { run, images, command }: OrganizeContext,
): Promise<OrganizeResult> {
  const { out, placements, refused } = await organizePlan(run, { by, images });
  if (refused !== undefined) throw notNow(inWords(refused));
  await runCommand(command, ["organize", run, "--by", by, "--images", images]);
  return {
    out,
    images: placements.length,
    ...(by === "move" ? { undo: `boostcluster organize --undo ${quoted(out)}` } : {}),
  };
}

/** The page has no button that takes moves back. */
const inWords = ({ message, option }: InputError): string =>
  option === "undo" ? `${message}, with boostcluster organize --undo` : message;
