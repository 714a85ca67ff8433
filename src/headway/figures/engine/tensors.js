// Numbers of a model: weights out of their packing, and what layers do to rows of numbers.
// A matrix (T, C) is an array of T rows, each a Float32Array of C; nothing here changes a row that
// it was given. A weight is { shape, numbers }, as torch stores it: for a layer (out, in), row by row.

// The 16 bits of a number in half precision as the number: a sign, 5 bits of exponent, 10 behind.
export function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

// { name: { shape, numbers } } of what headway.figures.engine.pack made:
// tensors [[name, shape], …], and their numbers one after the other, two bytes each, in base 64.
export function unpack({ tensors, data }) {
  const bytes = atob(data);
  const weights = {};
  let place = 0;
  for (const [name, shape] of tensors) {
    const numbers = new Float32Array(shape.reduce((product, size) => product * size, 1));
    for (let i = 0; i < numbers.length; i++, place += 2) {
      numbers[i] = fromHalf(bytes.charCodeAt(place) | (bytes.charCodeAt(place + 1) << 8));
    }
    weights[name] = { shape, numbers };
  }
  return weights;
}

// Row i of a weight (N, C).
export function rowOf({ shape, numbers }, i) {
  if (!(i >= 0 && i < shape[0])) throw new RangeError(`row ${i} of ${shape[0]} does not exist`);
  return numbers.subarray(i * shape[1], (i + 1) * shape[1]);
}

export function dot(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

// x Wᵀ + b: rows (T, in), weight (out, in), bias (out) or none → (T, out).
export function linear(rows, weight, bias) {
  return rows.map((row) =>
    Float32Array.from({ length: weight.shape[0] }, (_, o) =>
      dot(row, rowOf(weight, o)) + (bias ? bias.numbers[o] : 0),
    ),
  );
}

// (T, C) + (T, C).
export function add(rows, others) {
  return rows.map((row, t) => row.map((x, c) => x + others[t][c]));
}

// Each row moved to mean 0 and variance 1, then to the learned gain and shift (C).
export function layerNorm(rows, weight, bias, epsilon) {
  return rows.map((row) => {
    const mean = row.reduce((sum, x) => sum + x, 0) / row.length;
    const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
    const root = Math.sqrt(variance + epsilon);
    return row.map((x, c) => ((x - mean) / root) * weight.numbers[c] + bias.numbers[c]);
  });
}

// Each row scaled to a mean square of 1, then by the learned gain (C).
export function rmsNorm(rows, weight, epsilon) {
  return rows.map((row) => {
    const root = Math.sqrt(row.reduce((sum, x) => sum + x ** 2, 0) / row.length + epsilon);
    return row.map((x, c) => (x / root) * weight.numbers[c]);
  });
}

// ln of the softmax of a row of scores; the largest is taken off first, so that nothing overflows.
export function logSoftmax(scores) {
  const most = scores.reduce((one, other) => Math.max(one, other), -Infinity);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0);
  return Float64Array.from(scores, (score) => score - most - Math.log(total));
}

export function softmax(scores) {
  return logSoftmax(scores).map(Math.exp);
}

// The error function to 1.5 · 10⁻⁷ (Abramowitz and Stegun 1964, 7.1.26).
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const sum = series.reduce((inner, coefficient) => (inner + coefficient) * t, 0);
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

// What stands between the layers of a feed-forward block, by the name that a configuration gives it.
export function activation(name) {
  const known = {
    relu: (x) => Math.max(x, 0),
    gelu: (x) => (x / 2) * (1 + erf(x / Math.SQRT2)),
    "gelu-tanh": (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
    silu: (x) => x / (1 + Math.exp(-x)),
  };
  if (!(name in known)) throw new RangeError(`the activation ${name} is none of ${Object.keys(known)}`);
  return known[name];
}
