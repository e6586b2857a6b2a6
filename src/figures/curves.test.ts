import { expect, test } from "vitest";
import { expectStoredSvg } from "../../test/stored-pictures.ts";
import { InputError } from "../files/errors.ts";
import { curvesFigure } from "./curves.ts";

const curve = (name: string, values: readonly number[]) => ({
  name,
  values: values.map((value, epoch) => ({ epoch, value })),
});

test("curves have names, and ticks are at round numbers", () => {
  const curves = [
    curve("α = 1.5", [0.761, 0.79, 0.82, 0.84]),
    curve("α = 2", [0.761, 0.85, 0.92, 0.964]),
    curve("α = 4", [0.761, 0.9, 0.91, 0.905]),
  ];
  const svg = curvesFigure({ curves, quantity: "ACC", title: "Boosting factor", percent: true });
  expectStoredSvg("curves", svg);
  for (const word of ["α = 1.5", "Boosting factor", "ACC", "epoch", "80%", "95%"]) expect(svg).toContain(`>${word}<`);
});

test("a single value is drawn, in a given range", () => {
  const svg = curvesFigure({ curves: [curve("only", [0.5])], quantity: "NMI", range: [0, 1] });
  expect(svg).toContain(">1.0<");
  expect(svg).not.toContain("NaN");
});

test("names are text, not markup", () => {
  expect(curvesFigure({ curves: [curve('<b> & "c"', [1, 2])] })).toContain("&lt;b&gt; &amp; &quot;c&quot;");
});

test("curves need values, and all must be finite", () => {
  expect(() => curvesFigure({ curves: [curve("empty", [])] })).toThrow(InputError);
  expect(() => curvesFigure({ curves: [curve("loss", [1, Number.NaN])] })).toThrow(
    'curve "loss": epoch 1 has the value NaN; leave it out',
  );
});
