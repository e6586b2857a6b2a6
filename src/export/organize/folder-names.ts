/** What the folder of a cluster is called: by its name, as far as file systems allow that, else by its number. */

/** Folders of images that are in no cluster: the model says so, or a person does. */
export const noneFolder = "none";
export const asideFolder = "aside";

/** The file beside the folders that says what was moved. */
export const journalName = "moves.jsonl";

/** Of clusters by their numbers; no two are the same, not even for systems that do not tell capitals apart. */
export function clusterFolders(
  clusters: Iterable<number>,
  names: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  const numbers = [...clusters];
  const nameless = numbers.filter((cluster) => folderName(names.get(cluster) ?? "") === "");
  const folders = new Map(nameless.map((cluster) => [cluster, String(cluster)]));
  const taken = new Set([noneFolder, asideFolder, journalName, ...folders.values()]);
  for (const cluster of numbers.filter((one) => !folders.has(one)))
    folders.set(cluster, freeName(folderName(names.get(cluster) ?? ""), taken));
  return folders;
}

/** The name, or with the first number behind it that makes it new; it is taken from now on. */
export function freeName(name: string, taken: Set<string>, extension = ""): string {
  let free = name + extension;
  for (let number = 2; taken.has(sameName(free)); number++) free = `${name}-${number}${extension}`;
  taken.add(sameName(free));
  return free;
}

/** Equal for names that some file system takes for the same. */
export const sameName = (name: string): string => name.normalize("NFC").toLowerCase();

/** What Windows, or any other system, has no file called: control characters, those that mean something in paths. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\u0000-\u001f\u007f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Devices of Windows, whatever their extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** File systems take 255 bytes; a number may come behind the name. */
const mostBytes = 200;

/** Empty where nothing is left of it. */
export function folderName(name: string): string {
  const allowed = name.normalize("NFC").replace(forbidden, "-");
  const trimmed = shortened(allowed.replace(/^[\s.]+/, "")).replace(/[\s.]+$/, "");
  if (/^-*$/.test(trimmed)) return "";
  return devices.test(trimmed) ? `${trimmed}-` : trimmed;
}

function shortened(name: string): string {
  let short = "";
  for (const character of name) {
    if (Buffer.byteLength(short) + Buffer.byteLength(character) > mostBytes) break;
    short += character;
  }
  return short;
}
