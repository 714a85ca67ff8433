// Multi-head attention on rows of numbers, as headway.nn.multihead computes it.
// H query heads of width D = C / H lie side by side in a row of C; G key and value heads share
// them evenly (G = H unless a model says otherwise). T queries, S keys.
import { dot, linear, softmax } from "./tensors.js";

// The columns of head h in a row, D numbers.
export function head(row, h, width) {
  return row.subarray(h * width, (h + 1) * width);
}

// The rows `from` … `to` − 1 of a layer, as a layer of its own: W_Q, W_K and W_V lie in one.
function partOf({ weight, bias }, from, to) {
  const width = weight.shape[1];
  const numbers = weight.numbers.subarray(from * width, to * width);
  const own = bias && { shape: [to - from], numbers: bias.numbers.subarray(from, to) };
  return { weight: { shape: [to - from, width], numbers }, bias: own };
}

const through = (rows, { weight, bias }) => linear(rows, weight, bias);

// Rows x (T, C) → queries (T, C).
export function queriesOf(x, { qkv, width }) {
  return through(x, partOf(qkv, 0, width));
}

// Rows (S, C) → keys and values (S, G · D) each.
export function keysValuesOf(rows, { qkv, width }) {
  const middle = (width + qkv.weight.shape[0]) / 2;
  return {
    keys: through(rows, partOf(qkv, width, middle)),
    values: through(rows, partOf(qkv, middle, qkv.weight.shape[0])),
  };
}

// Rows of heads of D numbers, each pair of neighbors turned by an angle that grows with its place;
// the first row stands at place `from`.
export function turned(rows, D, from, base) {
  return rows.map((row, t) =>
    row.map((x, c) => {
      const [i, second] = [c % D, c % 2];
      const angle = (from + t) * base ** (-(i - second) / D);
      return x * Math.cos(angle) + row[second ? c - 1 : c + 1] * Math.sin(angle) * (second ? 1 : -1);
    }),
  );
}

// softmax(Q Kᵀ / √D) V for each head, side by side, then W_O.
// With `causal`, the T queries stand at the end of the S keys, and none sees what comes after it.
// → { scores, weights: [H][T][S'], mixed (T, C), update (T, C) }, S' the keys that a query sees.
export function attend(queries, { keys, values }, { heads, shared, width, output }, causal = false) {
  const D = width / heads;
  const before = keys.length - queries.length;
  const scores = Array.from({ length: heads }, (_, h) => {
    const group = Math.floor((h * shared) / heads);
    const ownKeys = keys.map((row) => head(row, group, D));
    return queries.map((row, t) =>
      ownKeys.slice(0, causal ? before + t + 1 : keys.length)
        .map((key) => dot(head(row, h, D), key) / Math.sqrt(D)),
    );
  });
  const weights = scores.map((lines) => lines.map((line) => softmax(line)));
  const mixed = queries.map((_, t) =>
    Float32Array.from({ length: width }, (_, c) => {
      const h = Math.floor(c / D);
      const column = Math.floor((h * shared) / heads) * D + (c % D);
      return weights[h][t].reduce((sum, weight, s) => sum + weight * values[s][column], 0);
    }),
  );
  return { scores, weights, mixed, update: through(mixed, output) };
}
