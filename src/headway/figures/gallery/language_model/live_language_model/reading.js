// A text as the model reads it, token by token, and what there is to see at each of them.
import { byLikelihood, filtered } from "../../../engine/sampling.js";
import { logSoftmax, softmax } from "../../../engine/tensors.js";

// Each token read: { id, state, logits, seen }, logits those of the token after it. What is known of
// the same beginning is not computed again.
export function read(model, ids, known = []) {
  const other = ids.findIndex((id, t) => known[t]?.id !== id);
  const steps = known.slice(0, other < 0 ? ids.length : other);
  for (const id of ids.slice(steps.length)) {
    const before = steps.at(-1)?.state ?? model.begin().state;
    steps.push({ id, ...model.feed(before, [id]) });
  }
  return steps;
}

// The loss of each token, −ln of its probability after those before it; null for the first.
export function losses(steps) {
  return steps.map(({ id }, t) => (t ? -logSoftmax(steps[t - 1].logits)[id] : null));
}

// The `count` likeliest tokens by the model, with what the filters leave of each:
// { rows: [{ id, p, q }], kept, mass }, p before and q after them; `kept` tokens have some q, and
// `mass` is the p of these together.
function nextTokens(logits, filters, count) {
  const [before, after] = [softmax(logits), softmax(filtered(logits, filters))];
  const rows = byLikelihood(logits).slice(0, count).map((id) => ({ id, p: before[id], q: after[id] }));
  const left = [...after.keys()].filter((id) => after[id] > 0);
  return { rows, kept: left.length, mass: left.reduce((sum, id) => sum + before[id], 0) };
}

// What one head looks at: for each token its weights for the tokens up to itself, [T][≤ T].
export function looks(steps, block, head) {
  return steps.map(({ seen }) => Array.from(seen.blocks[block].attention.weights[head][0]));
}

// A view of one place, as the page brings one along: what draws needs nothing else.
export function viewOf(steps, { filters, place, block, head }, count) {
  return {
    ids: steps.map(({ id }) => id),
    losses: losses(steps),
    next: nextTokens(steps[place].logits, filters, count),
    weights: looks(steps, block, head),
  };
}
