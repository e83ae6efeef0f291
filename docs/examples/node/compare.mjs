// Judge outputs by what a case permits; docs/without-python.md has the rules.
import { numbers } from "./tensors.mjs";

/** The verdict on outputs; expected is a list of { value, lower, upper }. */
export function judge(expected, outputs) {
  if (outputs.length !== expected.length) return "wrong_shape";
  const found = expected.map((want, i) => judgeOne(want, outputs[i]));
  return found.find((verdict) => verdict.startsWith("wrong"))
    ?? found.find((verdict) => verdict === "permitted") ?? "exact";
}

function judgeOne({ value, lower = value, upper = value }, got) {
  if (got.code !== value.code) return "wrong_type";
  if (String(got.dims) !== String(value.dims)) return "wrong_shape";
  const [want, low, high, have] = [value, lower, upper, got].map(numbers);
  // Object.is holds for NaN and NaN, and tells the zeros apart.
  if (have.every((x, i) => Object.is(x, want[i]))) return "exact";
  return have.every((x, i) => permits(want[i], low[i], high[i], x)) ? "permitted" : "wrong_value";
}

function permits(value, lower, upper, got) {
  if (Number.isNaN(got)) return [value, lower, upper].some(Number.isNaN);
  // Where a bound is NaN, the value is that end; where that is NaN too, the other bound is all.
  const low = [lower, value, upper].find((x) => !Number.isNaN(x));
  const high = [upper, value, lower].find((x) => !Number.isNaN(x));
  return low <= got && got <= high;
}

/** The reading of an open case that gives these outputs, but for the signs of zeros. */
export function readingOf(readings, outputs) {
  const same = ([, wanted]) => !judge(wanted.map((value) => ({ value })), outputs).startsWith("wrong");
  return Object.entries(readings).find(same)?.[0] ?? "other";
}
