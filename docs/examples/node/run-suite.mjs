// node run-suite.mjs SUITE [RECORD]: the verdict of every case, as a table and as a run record.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { judge, readingOf } from "./compare.mjs";
import { run, version } from "./runtime.mjs";
import { readTensor } from "./tensors.mjs";

const [suite, record] = process.argv.slice(2);
const bytes = readFileSync(join(suite, "manifest.json"));
const manifest = JSON.parse(bytes);
if (manifest.format !== 1) throw new Error(`suite format ${manifest.format}; this reads format 1`);

async function runCase(id) {
  const folder = join(suite, id);
  const said = JSON.parse(readFileSync(join(folder, "case.json"), "utf8"));
  const { operator, version: since, expectation } = said;
  const line = { kind: "case", case: id, operator, version: since, expectation };
  const tensors = (names, place) => names.map((_, i) => readTensor(join(folder, place(i))));
  const data = "test_data_set_0";
  const found = await run(
    join(folder, "model.onnx"), tensors(said.inputs, (i) => `${data}/input_${i}.pb`));
  if (found.notRunnable) return { ...line, verdict: "not_runnable", message: found.notRunnable };
  if (found.refused) {
    const verdict = { value: "refused", reject: "rejected", open: "open" }[expectation];
    const reading = expectation === "open" ? { reading: "refused" } : {};
    return { ...line, verdict, ...reading, stage: found.stage, message: found.refused };
  }
  if (expectation === "reject") return { ...line, verdict: "accepted_invalid" };
  const outputs = (place) => tensors(said.outputs, (i) => `${place}/output_${i}.pb`);
  if (expectation === "open") {
    const names = said.reading.filter((name) => name !== "refused");
    const readings = names.map((name) => [name, outputs(`readings/${name}`)]);
    const reading = readingOf(Object.fromEntries(readings), found.outputs);
    return { ...line, verdict: "open", reading };
  }
  const bound = (i, end) => {
    const file = join(folder, `permitted/output_${i}.${end}.pb`);
    return existsSync(file) ? readTensor(file) : undefined;
  };
  const expected = outputs(data).map(
    (value, i) => ({ value, lower: bound(i, "lower"), upper: bound(i, "upper") }));
  return { ...line, verdict: judge(expected, found.outputs) };
}

const lines = [];
for (const [id, files] of Object.entries(manifest.files)) {
  if (files["case.json"]) lines.push(await runCase(id));
}
const table = {};
for (const { operator, version: since, verdict } of lines) {
  const row = (table[`${operator} ${since}`] ??= {});
  row[verdict] = (row[verdict] ?? 0) + 1;
}
console.table(table);
const verdicts = {};
for (const { verdict } of lines) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
console.log(`${lines.length} cases: ${Object.entries(verdicts).map((e) => e.reverse().join(" ")).join(", ")}`);

if (record) {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const header = {
    kind: "header",
    format: 1,
    suite: { hash, cases: lines.length, levels: manifest.levels },
    backend: { name: "onnxruntime-node", variant: null, version },
    environment: {
      python: "none", platform: process.platform, machine: process.arch,
      packages: { node: process.versions.node, "onnxruntime-node": version },
    },
    harness: { version: `onnx-cts ${manifest.generator.version}, docs/examples/node` },
  };
  const end = { kind: "end", cases: lines.length, verdicts };
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, [header, ...lines, end].map((x) => `${JSON.stringify(x)}\n`).join(""));
}
const wrong = lines.filter(({ verdict }) => /^wrong|^accepted/.test(verdict));
for (const line of wrong) console.log(`${line.verdict}  ${line.case}`);
process.exit(wrong.length ? 1 : 0); // at once: the end of the event loop would collect sessions
