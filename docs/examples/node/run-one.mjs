// node run-one.mjs MODEL INPUTS OUTPUTS: one model, for `onnx-cts run "command:..."`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "./runtime.mjs";
import { readTensor, writeTensor } from "./tensors.mjs";

const [model, inputs, outputs] = process.argv.slice(2);
const count = readdirSync(inputs).length;
const files = Array.from({ length: count }, (_, i) => join(inputs, `input_${i}.pb`));
const found = await run(model, files.map(readTensor));
if (found.notRunnable) {
  console.error(found.notRunnable);
  process.exitCode = 21;
} else if (found.refused) {
  console.error(`${found.stage}: ${found.refused}`);
  process.exitCode = 20;
} else {
  found.outputs.forEach((tensor, i) => writeTensor(join(outputs, `output_${i}.pb`), tensor));
}
