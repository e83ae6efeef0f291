// onnxruntime-node: one model, its inputs, and what comes of it.
import ort from "onnxruntime-node";
import { elements, typeCode, typeName } from "./tensors.mjs";

// One thread, and the graph as it is written.
const OPTIONS = {
  graphOptimizationLevel: "disabled", intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4,
};

// 1.30.0 aborts when a session whose external data has no bytes is released or collected.
const KEPT = [];

export const version = ort.env.versions.node;

/** { outputs } or { refused, stage } or { notRunnable }. */
export async function run(model, inputs) {
  let stage = "load";
  try {
    const session = await ort.InferenceSession.create(model, OPTIONS);
    KEPT.push(session);
    stage = "run";
    const bad = session.outputMetadata.find((o) => !typeCode(o.type));
    if (bad) return { notRunnable: `cannot be read in ${bad.type}` };
    const feeds = {};
    for (const [i, tensor] of inputs.entries()) {
      const type = typeName(tensor.code);
      if (!type) return { notRunnable: `cannot be fed element type ${tensor.code}` };
      feeds[session.inputNames[i]] = new ort.Tensor(type, elements(tensor), tensor.dims);
    }
    const found = await session.run(feeds);
    return { outputs: session.outputNames.map((name) => ofOrt(found[name])) };
  } catch (error) {
    const message = String(error.message ?? error).split("\n")[0];
    // What its JavaScript has no type for, it cannot even say of a graph's inputs and outputs.
    if (/^Unsupported data type/.test(message)) return { notRunnable: message };
    return { refused: message, stage };
  }
}

function ofOrt({ type, dims, data }) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { code: typeCode(type), dims: [...dims], bytes };
}
