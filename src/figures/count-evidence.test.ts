import { expect, test } from "vitest";
import { InputError } from "../files/errors.ts";
import { countEvidenceFigure } from "./count-evidence.ts";

const evidence = [0.4, 1.1, -0.2, 0.3].map((gap, index) => ({ k: index + 2, gap }));

test("there is one bar per number of clusters, the chosen one coloured", () => {
  const svg = countEvidenceFigure({ evidence, k: 3, title: "digits" });
  expect(svg.match(/stroke-width="[\d.]+"/g)).toHaveLength(4);
  expect(svg.match(/stroke-opacity="1"/g)).toHaveLength(1);
  for (const word of ["digits", "clusters", "3"]) expect(svg).toContain(`>${word}<`);
  expect(svg).not.toContain("NaN");
});

test("without an answer no bar is coloured; without evidence there is nothing to draw", () => {
  expect(countEvidenceFigure({ evidence })).not.toContain('stroke-opacity="1"');
  expect(() => countEvidenceFigure({ evidence: [] })).toThrow(InputError);
});
