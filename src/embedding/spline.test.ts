import { expect, test } from "vitest";
import { slopesAt, splineNodes, splineResponse, weightsAt } from "./spline.ts";

const at = (fill: (t: number, into: Float64Array) => void, t: number): Float64Array => {
  const values = new Float64Array(splineNodes);
  fill(t, values);
  return values;
};
const places = [0, 0.1, 0.37, 0.5, 0.99, 1];

test("the weights sum to 1 and balance at the point", () => {
  for (const t of places) {
    const weights = at(weightsAt, t);
    expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 14);
    expect(weights.reduce((sum, weight, node) => sum + weight * node, 0)).toBeCloseTo(2 + t, 13);
  }
});

test("weights and slopes are continuous from one interval between nodes to the next", () => {
  for (const fill of [weightsAt, slopesAt]) {
    const [end, start] = [at(fill, 1), at(fill, 0)];
    for (let node = 1; node < splineNodes; node++) expect(end[node]).toBeCloseTo(start[node - 1], 14);
  }
});

test("the slopes are the derivatives of the weights", () => {
  const step = 1e-5;
  for (const t of places) {
    const [before, after, slopes] = [at(weightsAt, t - step), at(weightsAt, t + step), at(slopesAt, t)];
    slopes.forEach((slope, node) => {
      expect(slope).toBeCloseTo((after[node] - before[node]) / (2 * step), 8);
    });
  }
});

test("the response is the factor by which interpolation at nodes scales a wave", () => {
  const weights = at(weightsAt, 0);
  for (const frequency of [0, 0.5, 2, Math.PI]) {
    const read = weights.reduce((sum, weight, node) => sum + weight * Math.cos(frequency * (node - 2)), 0);
    expect(splineResponse(frequency)).toBeCloseTo(read, 14);
  }
});
