// Tensors as text: from the bytes of raw_data to the values of their elements.

// Of longer tensors, only the beginning is shown.
const MOST_ELEMENTS = 4096;

function tensorType([, code, shape]) {
  return `${data.formats[code]?.name ?? `type ${code}`}[${shape.join(",")}]`;
}

// The elements between brackets, nested as the shape is.
function tensorText([, code, shape, hex]) {
  const format = data.formats[code];
  if (!format) return hex;
  const size = shape.reduce((product, length) => product * length, 1);
  const count = Math.min(size, MOST_ELEMENTS);
  const values = Array.from({ length: count }, (_, index) =>
    numberText(valueOf(codeAt(hex, index, format.bits), format), format));
  const text = shape.length && size <= count ? nested(values, shape) : `[${values.join(" ")}]`;
  return size > count ? `${text} and ${size - count} more` : shape.length ? text : values[0];
}

function nested(values, shape) {
  if (shape.length === 1) return `[${values.join(" ")}]`;
  const [length, ...rest] = shape;
  const step = values.length / (length || 1);
  const rows = Array.from({ length }, (_, row) =>
    nested(values.slice(row * step, (row + 1) * step), rest));
  return `[${rows.join(rest.length > 1 ? "\n\n" : "\n ")}]`;
}

// Little-endian; elements of less than a byte are packed, the first in the lowest bits.
function codeAt(hex, index, bits) {
  const first = Math.floor((index * bits) / 8);
  const last = Math.floor(((index + 1) * bits - 1) / 8);
  let code = 0n;
  for (let byte = last; byte >= first; byte--) {
    code = (code << 8n) | BigInt(parseInt(hex.slice(2 * byte, 2 * byte + 2), 16));
  }
  return Number((code >> BigInt(index * bits - first * 8)) & ((1n << BigInt(bits)) - 1n));
}

function valueOf(code, format) {
  const { kind, bits, exponent, mantissa, bias, signed, infinity, nan } = format;
  if (kind === "uint") return code;
  if (kind === "int") return code >= 2 ** (bits - 1) ? code - 2 ** bits : code;
  const fraction = code % 2 ** mantissa;
  const biased = Math.floor(code / 2 ** mantissa) % 2 ** exponent;
  const sign = signed && code >= 2 ** (bits - 1) ? -1 : 1;
  const top = biased === 2 ** exponent - 1;
  if (Array.isArray(nan) ? nan.includes(code) : top && fraction > 0) return NaN;
  if (infinity && top) return sign * Infinity;
  const normal = biased > 0 || !signed;
  const significand = fraction + (normal ? 2 ** mantissa : 0);
  return sign * significand * 2 ** ((normal ? biased : 1) - bias - mantissa);
}

// Nine digits tell any two values of every format apart.
function numberText(value, { kind }) {
  if (kind !== "float" || !Number.isFinite(value)) return String(value);
  return Object.is(value, -0) ? "-0" : String(Number(value.toPrecision(9)));
}
