/** Coarser and finer groups than the clusters, for the slider above the cards. The page's script shows them. */
import { type ClusterTree, clusterLevel, coarsened, cutAtLevel, finestLevel } from "../clustering/cluster-tree.ts";
import { groupColours } from "../figures/colours.ts";
import { type RankedImage, surestFirst } from "../figures/ranking.ts";
import { counted, scoreText, shortName } from "../numeric/format.ts";
import { readTree } from "../runs/tree-file.ts";
import { type Html, html, jsonElement } from "./html.ts";
import { describeImage } from "./image-list.ts";
import { boxFor, imageUri } from "./pictures.ts";
import { imageName, type Subject } from "./subject.ts";
import { isNone } from "./typical.ts";

/** More groups are too many to look at. */
const mostGroups = 240;
/** The approximate number of images of all finest groups together, and the limits for each of them. */
const imagesShared = 800;
const mostImages = 12;
const fewestImages = 4;
const mostPixels = 2_500_000;
/** The colours of a group of more clusters would say nothing. */
const mostColours = 4;

/** Undefined where the run has no tree, or nothing but its clusters. */
export async function levelsControl(subject: Subject): Promise<Html | undefined> {
  const tree = readTree(subject.run.folder);
  if (tree?.groups.length !== subject.dataset.count) return undefined;
  const clusters = clusterLevel(tree);
  const finest = Math.min(mostGroups, finestLevel(tree));
  const coarsest = Math.min(2, clusters);
  if (clusters > finest || coarsest === finest) return undefined;
  const data = await levelsData(subject, coarsened(tree, finest), coarsest);
  return html`<div class="levels" id="levels" hidden>
<label for="level">Groups</label>
<span class="levels-scale"><span>coarser</span><input type="range" id="level" min="${coarsest}" max="${finest}" value="${clusters}"><span>finer</span></span>
<input type="number" id="level-number" min="${coarsest}" max="${finest}" value="${clusters}" aria-label="Number of groups">
<button type="button" id="level-clusters" disabled>the ${counted(clusters, "cluster")}</button>
</div>
<p class="levels-note" id="level-note" aria-live="polite"></p>
<div class="cards" id="level-cards" hidden></div>
${jsonElement("levels-data", { clusters, ...data })}
`;
}

/** A group, which is there from one level to another. */
interface Group {
  readonly title: string;
  readonly note: string;
  readonly from: number;
  readonly to: number;
  readonly colours: readonly string[];
  /** Its typical images, as indices into the list of all. */
  readonly images: readonly number[];
}

/** The groups of all levels, and the images that stand for them. */
async function levelsData(subject: Subject, tree: ClusterTree, coarsest: number) {
  const finest = finestLevel(tree);
  const perGroup = Math.max(fewestImages, Math.min(mostImages, Math.floor(imagesShared / finest)));
  const members = rankedMembers(subject, tree);
  const typical = members.map((ranked) => typicalOf(subject, ranked, perGroup));
  const shown = typical.flat();
  const places = new Map(shown.map((image, place) => [image, place]));
  const colours = groupColours(subject.record.k);
  const groups = groupsOf(tree, coarsest).map(({ name, leaves, from, to }): Group => {
    const all = leaves.flatMap((leaf) => members[leaf]);
    const mean = all.reduce((sum, { score }) => sum + score, 0) / all.length;
    const clusters = [...new Set(leaves.map((leaf) => tree.clusters[leaf]))].sort((a, b) => a - b);
    return {
      title: `${clusters.length > 1 ? "Clusters" : "Cluster"} ${name}`,
      note: `${counted(all.length, "image")}, mean score ${scoreText(mean)}`,
      from,
      to,
      colours: clusters.slice(0, mostColours).map((cluster) => colours[cluster]),
      images: inTurn(
        leaves.map((leaf) => typical[leaf]),
        mostImages,
      ).map((image) => places.get(image) ?? 0),
    };
  });
  const box = boxFor(subject.dataset.image, shown.length, mostPixels);
  const { width, height } = subject.dataset.image;
  return { groups, width, height, images: await Promise.all(shown.map((image) => pictureOf(subject, image, box))) };
}

/** The images of each finest group, the highest score first. */
function rankedMembers({ certain }: Subject, tree: ClusterTree): RankedImage[][] {
  const members = Array.from({ length: finestLevel(tree) }, (): RankedImage[] => []);
  tree.groups.forEach((group, image) => {
    members[group].push({ image, score: certain.certainty[image] });
  });
  for (const ranked of members) ranked.sort(surestFirst);
  return members;
}

function typicalOf(subject: Subject, ranked: readonly RankedImage[], count: number): number[] {
  const images = ranked.map(({ image }) => image);
  const belonging = images.filter((image) => !isNone(subject, image));
  return (belonging.length === 0 ? images : belonging).slice(0, count);
}

interface NamedGroup {
  readonly name: string;
  /** The finest groups in it. */
  readonly leaves: readonly number[];
  readonly from: number;
  to: number;
}

/** By name. A group is the same at two levels if it has the same name and the same parts. */
function groupsOf(tree: ClusterTree, coarsest: number): NamedGroup[] {
  const finest = Int32Array.from(tree.clusters.keys());
  const found = new Map<string, NamedGroup>();
  for (let level = coarsest; level <= finestLevel(tree); level++) {
    const { names, groups } = cutAtLevel({ ...tree, groups: finest }, level);
    names.forEach((name, group) => {
      const leaves = [...finest].filter((leaf) => groups[leaf] === group);
      const key = `${name}: ${leaves.join()}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { name, leaves, from: level, to: level });
      else known.to = level;
    });
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** The first of each list, then the second of each, up to `most`: every part of a group is seen. */
function inTurn(lists: readonly (readonly number[])[], most: number): number[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1)));
  return turns.flat().slice(0, most);
}

async function pictureOf(subject: Subject, image: number, box: number) {
  return {
    uri: await imageUri(subject.dataset, image, box),
    name: shortName(imageName(subject, image)),
    title: describeImage(subject, image),
  };
}
