import { expect, test } from "vitest";
import { Random } from "../numeric/random.ts";
import { type AssignmentRow, csvLines, jsonLines } from "./assignments.ts";

const rows: AssignmentRow[] = [
  { item: "a.png", cluster: 2, score: Math.fround(0.9), secondCluster: 0, margin: Math.fround(0.85), label: "seven" },
  { item: 'odd, "name"\n.png', cluster: 0, score: 1, secondCluster: 10, margin: Math.fround(1e-7), label: undefined },
];

/** A scanner as RFC 4180 describes it, for one file. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    records[records.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\n") records.push([]);
  }
  return records.slice(0, -1);
}

test("CSV with a heading, quoted where needed", () => {
  expect([...csvLines(rows, { labels: true })].join("")).toBe(
    'item,cluster,score,secondCluster,margin,label\na.png,2,0.9,0,0.85,seven\n"odd, ""name""\n.png",0,1,10,1e-7,\n',
  );
  expect([...csvLines(rows)].slice(0, 2)).toEqual([
    "item,cluster,score,secondCluster,margin\n",
    "a.png,2,0.9,0,0.85\n",
  ]);
  expect([...csvLines([])]).toEqual(["item,cluster,score,secondCluster,margin\n"]);
});

test("any item comes back from CSV", () => {
  const items = ["", " ", '"', '""', ",", "a\r\nb", "\r", "日本.png", "a'b", '",\n"'];
  const text = [...csvLines(items.map((item) => ({ ...rows[0], item })))].join("");
  expect(
    parseCsv(text)
      .slice(1)
      .map(([item]) => item),
  ).toEqual(items);
});

test("JSON lines hold one object each, without what is undefined", () => {
  const lines = [...jsonLines(rows)];
  expect(lines[0]).toBe('{"item":"a.png","cluster":2,"score":0.9,"secondCluster":0,"margin":0.85,"label":"seven"}\n');
  expect(JSON.parse(lines[1])).toEqual({ item: rows[1].item, cluster: 0, score: 1, secondCluster: 10, margin: 1e-7 });
  expect([...jsonLines([{ item: "x", cluster: 0, score: 1, secondCluster: undefined, margin: 1 }])]).toEqual([
    '{"item":"x","cluster":0,"score":1,"margin":1}\n',
  ]);
});

test("every float32 comes back as the same float32, in nine digits at the most", () => {
  const bits = new Uint32Array(1);
  const [float] = [new Float32Array(bits.buffer)];
  const random = new Random(1);
  for (let round = 0; round < 20_000; round++) {
    bits[0] = random.uint32();
    if (!Number.isFinite(float[0])) continue;
    const [, line] = csvLines([{ ...rows[0], score: float[0], margin: float[0] }]);
    const [, , score, , margin] = line.trimEnd().split(",");
    expect(Math.fround(Number(score))).toBe(float[0]);
    expect(margin).toBe(score);
    expect(score.replace(/e.*|[-.]/g, "").replace(/^0+|0+$/g, "").length).toBeLessThanOrEqual(9);
  }
});

test("decimals of up to six digits are printed as they are", () => {
  for (const text of ["0.1", "0.25", "0.123456", "0.999999", "0", "1", "0.000123", "1e-10"]) {
    const [, line] = csvLines([{ ...rows[0], score: Math.fround(Number(text)) }]);
    expect(line).toContain(`,${text},`);
  }
});
