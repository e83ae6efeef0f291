// Tensors on disk: a serialized TensorProto, of which a suite uses these four fields alone.
import { readFileSync, writeFileSync } from "node:fs";
import protobuf from "protobufjs";

const TensorProto = protobuf.parse(`
  syntax = "proto2";
  message TensorProto {
    repeated int64 dims = 1;
    optional int32 data_type = 2;
    optional string name = 8;
    optional bytes raw_data = 9;
  }`, { keepCase: true }).root.lookupType("TensorProto");

// By the number in TensorProto.DataType: the name in onnxruntime, and the array that holds it.
// float16 is held as its bits. The package knows the names int4 and uint4 too, but takes no tensor of
// them, and aborts the process on an output of them.
const TYPES = new Map([
  [1, ["float32", Float32Array]],
  [2, ["uint8", Uint8Array]],
  [3, ["int8", Int8Array]],
  [4, ["uint16", Uint16Array]],
  [5, ["int16", Int16Array]],
  [6, ["int32", Int32Array]],
  [7, ["int64", BigInt64Array]],
  [9, ["bool", Uint8Array]],
  [10, ["float16", Uint16Array]],
  [11, ["float64", Float64Array]],
  [12, ["uint32", Uint32Array]],
  [13, ["uint64", BigUint64Array]],
]);

/** The tensor in a file: { code, dims, bytes }. */
export function readTensor(file) {
  const { data_type: code, dims, raw_data: bytes } = TensorProto.decode(readFileSync(file));
  return { code, dims: dims.map(Number), bytes };
}

export function writeTensor(file, { code, dims, bytes }) {
  writeFileSync(file, TensorProto.encode({ data_type: code, dims, raw_data: bytes }).finish());
}

/** The name of a type in onnxruntime; undefined if it has none. */
export const typeName = (code) => TYPES.get(code)?.[0];

export const typeCode = (name) => [...TYPES.keys()].find((code) => typeName(code) === name);

/** The elements as a typed array. */
export function elements({ code, bytes }) {
  return new (TYPES.get(code)[1])(Uint8Array.from(bytes).buffer); // a copy is aligned
}

/** The elements as numbers (64-bit integers as bigints). */
export function numbers(tensor) {
  return tensor.code === 10 ? Array.from(elements(tensor), ofHalf) : Array.from(elements(tensor));
}

function ofHalf(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}
