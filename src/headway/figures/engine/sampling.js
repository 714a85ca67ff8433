// Drawing the next token: filters by headway.inference.filters' rules, and draws from what they leave.
// Each filter takes a row of logits and returns another, −∞ where a token is excluded, so that its
// softmax shares out the rest anew. They compose in the order of `filtered`.
import { softmax } from "./tensors.js";

const ROUNDING = 1e-6; // a sum that equals p but for rounding has reached it: 0.4 + 0.3 reaches 0.7

// Logits over T: the likely gain below 1, all come closer to each other above.
export function temperature(logits, T) {
  if (!(T > 0 && T < Infinity)) throw new RangeError(`the temperature must be positive, got ${T}`);
  return Float64Array.from(logits, (x) => x / T);
}

// The k likeliest tokens, and those that tie for the k-th place.
export function topK(logits, k) {
  if (!(Number.isInteger(k) && k >= 1)) throw new RangeError(`top-k keeps 1 token or more, got ${k}`);
  const least = Float64Array.from(logits).sort().at(-Math.min(k, logits.length));
  return Float64Array.from(logits, (x) => (x < least ? -Infinity : x));
}

// The nucleus: the fewest of the likeliest tokens whose probabilities reach p, the one that crosses
// it included. Of equally likely tokens those with lower ids come first.
export function topP(logits, p) {
  if (!(p > 0 && p <= 1)) throw new RangeError(`p is to be reached, in 0 < p ≤ 1, got ${p}`);
  if (p === 1) return Float64Array.from(logits);
  const probabilities = softmax(logits);
  const kept = new Float64Array(logits.length).fill(-Infinity);
  let reached = 0;
  for (const id of byLikelihood(logits)) {
    if (reached >= p - ROUNDING) break;
    kept[id] = logits[id];
    reached += probabilities[id];
  }
  return kept;
}

// Temperature, then top-k, then top-p; null, or a name that is left out, changes nothing.
export function filtered(logits, { temperature: T = null, topK: k = null, topP: p = null }) {
  const warmed = T === null ? logits : temperature(logits, T);
  const cut = k === null ? warmed : topK(warmed, k);
  return p === null ? cut : topP(cut, p);
}

// All ids, the likeliest first; of equally likely ones the lowest.
export function byLikelihood(logits) {
  return Array.from(logits, (_, id) => id).sort((a, b) => logits[b] - logits[a] || a - b);
}

// The id at which the running sum of the probabilities passes `share`, a number in [0, 1).
export function draw(logits, share) {
  const probabilities = softmax(logits);
  let reached = 0;
  let last = -1;
  for (let id = 0; id < probabilities.length; id++) {
    if (probabilities[id] === 0) continue;
    reached += probabilities[id];
    last = id;
    if (share < reached) return id;
  }
  return last; // the sum has stopped below 1 by rounding
}

// Numbers in [0, 1), the same for the same seed (Mulberry32, by Tommy Ettinger, public domain).
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
