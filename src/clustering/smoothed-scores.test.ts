import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";
import { smoothOutside, smoothScores } from "./smoothed-scores.ts";

const k = 2;
const each = 30;

/** Two groups of points far apart; sample i is in group i % 2. */
async function twoGroups() {
  const random = new Random(5, "points");
  const points = Float32Array.from({ length: 2 * 2 * each }, (_, place) =>
    place % 4 < 2 ? random.uniform() : 10 + random.uniform(),
  );
  return neighbourGraph(await nearestNeighbours(matrix(points, 2), { neighbours: 5, threads: 1 }));
}

/** Scores by group, each of certainty 0.9; `wrong` samples are taken for the other group. */
const scoresWith = (wrong: readonly number[]): Float32Array =>
  Float32Array.from({ length: 2 * each * k }, (_, place) => {
    const sample = Math.floor(place / k);
    const isOwn = place % k === sample % 2;
    return isOwn !== wrong.includes(sample) ? 0.9 : 0.1;
  });

test("a sample that is taken for something else goes where those go that it is like", async () => {
  const graph = await twoGroups();
  const wrong = [0, 7, 21];
  const smooth = smoothScores(graph, scoresWith(wrong), { k, share: 0.8 });
  for (let sample = 0; sample < graph.count; sample++)
    expect(smooth[sample * k + (sample % 2)]).toBeGreaterThan(smooth[sample * k + 1 - (sample % 2)]);
});

test("scores still add up to 1, and are what they were where no share comes from neighbours", async () => {
  const graph = await twoGroups();
  const scores = scoresWith([3]);
  expect(smoothScores(graph, scores, { k, share: 0 })).toEqual(scores);
  const smooth = smoothScores(graph, scores, { k, share: 0.8 });
  for (let sample = 0; sample < graph.count; sample++)
    expect(smooth[sample * k] + smooth[sample * k + 1]).toBeCloseTo(1, 5);
});

test("what is known stays, and its neighbours learn from it", async () => {
  const graph = await twoGroups();
  const scores = new Float32Array(graph.count * k).fill(1 / k);
  // All that is known of one group is one sample, which is said to be in cluster 1.
  const known = new Int32Array(graph.count).fill(-1);
  known[4] = 1;
  const smooth = smoothScores(graph, scores, { k, share: 0.8, known });
  expect([...smooth.subarray(4 * k, 5 * k)]).toEqual([0, 1]);
  for (let edge = graph.starts[4]; edge < graph.starts[5]; edge++)
    expect(smooth[graph.others[edge] * k + 1]).toBeGreaterThan(0.5);
  // The other group is far away.
  expect(smooth[1 * k + 1]).toBeCloseTo(0.5, 5);
});

test("each is its own share and the weighted mean of its neighbours, but for one per cent", async () => {
  const graph = await twoGroups();
  const scores = scoresWith([0, 1, 2, 3, 11]);
  const share = 0.6;
  const smooth = smoothScores(graph, scores, { k, share });
  for (let sample = 0; sample < graph.count; sample++) {
    let [total, sum] = [0, 0];
    for (let edge = graph.starts[sample]; edge < graph.starts[sample + 1]; edge++) {
      const weight = graph.weights[edge];
      total += weight;
      sum += weight * smooth[graph.others[edge] * k];
    }
    const expected = (1 - share) * scores[sample * k] + (share * sum) / total;
    expect(Math.abs(smooth[sample * k] - expected)).toBeLessThan(0.01);
  }
});

test("outside of the graph, the nearer neighbour counts more, and the share is what all of them have", () => {
  const near = {
    neighbours: 2,
    indices: Uint32Array.of(0, 1, 1, 0),
    squaredDistances: Float32Array.of(1, 4, 0, 0),
  };
  const smooth = Float32Array.of(1, 0, 0, 1);
  const rows = smoothOutside(Float32Array.of(0.5, 0.5, 0.5, 0.5), near, smooth, { k: 2, share: 0.8 });
  const first = Math.exp(-1 / 4) / (Math.exp(-1 / 4) + Math.exp(-1));
  expect(rows[0]).toBeCloseTo(0.1 + 0.8 * first, 6);
  expect(rows[0] + rows[1]).toBeCloseTo(1, 6);
  // Copies of two samples: none of them is nearer.
  expect([...rows.subarray(2)]).toEqual([0.5, 0.5]);
});
