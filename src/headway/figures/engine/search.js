// Decoding: choosing the next token, one after the other, by headway.inference's rules.
import { logSoftmax } from "./tensors.js";

// The `count` likeliest tokens of a row of logits, the best first: [{ id, probability }]; of
// several equals the one with the lowest id comes first.
export function likeliest(logits, count) {
  const log_p = logSoftmax(logits);
  const order = Array.from(log_p, (_, id) => id).sort((a, b) => log_p[b] - log_p[a] || a - b);
  return order.slice(0, count).map((id) => ({ id, probability: Math.exp(log_p[id]) }));
}

// Tokens one after the other, each chosen from the logits before it, until `end`, if
// there is one, or `steps` of them.
// model: what has `feed`; state: where to begin; prompt: the ids to read first;
// choose: (logits, how many were chosen before) → id.
// → [{ id, logits, seen }] for each token chosen, `seen` what the model computed for it.
export function generate(model, state, prompt, steps, choose, end) {
  const chosen = [];
  let [now, fresh] = [state, prompt];
  while (chosen.length < steps && (!chosen.length || chosen.at(-1).id !== end)) {
    const { state: next, logits, seen } = model.feed(now, fresh);
    const id = choose(logits, chosen.length);
    chosen.push({ id, logits, seen });
    [now, fresh] = [next, [id]];
  }
  return chosen;
}

// The likeliest token each time.
export function greedy(model, state, prompt, steps, end) {
  return generate(model, state, prompt, steps, (logits) => likeliest(logits, 1)[0].id, end);
}

// Beam search: keep the `beams` likeliest beginnings, and extend all of them at each step.
// Of the best 2K candidates, those of the best K that end are hypotheses, and the best K others
// live on. Hypotheses are compared by ln P / lengthᵅ, α = `penalty`.
// → hypotheses [{ ids, score }], the best first, without the prompt.
export function beamSearch(model, state, prompt, steps, end, beams, penalty = 1) {
  const normalized = (log_p, length) => log_p / length ** penalty;
  let living = [{ state, fresh: prompt, ids: [], log_p: 0 }];
  let hypotheses = [];
  for (let t = 0; t < steps && living.length; t++) {
    const candidates = living
      .flatMap((beam) => {
        const { state: next, logits } = model.feed(beam.state, beam.fresh);
        return Array.from(logSoftmax(logits), (log_p, id) => ({
          ...{ state: next, fresh: [id], log_p: beam.log_p + log_p },
          ids: [...beam.ids, id],
        }));
      })
      .sort((a, b) => b.log_p - a.log_p)
      .slice(0, 2 * beams);
    const last = t + 1 === steps;
    const finished = candidates.slice(0, beams).filter(({ fresh: [id] }) => last || id === end);
    hypotheses = [
      ...hypotheses,
      ...finished.map(({ ids, log_p }) => ({ ids, score: normalized(log_p, t + 1) })),
    ]
      .sort((a, b) => b.score - a.score)
      .slice(0, beams);
    living = candidates.filter(({ fresh: [id] }) => id !== end).slice(0, beams);
    // The best that a living beam can become: the same ln P, at the length that suits it best.
    const bound = normalized(living[0]?.log_p ?? -Infinity, penalty > 0 ? steps : t + 2);
    if (hypotheses.length === beams && bound <= hypotheses.at(-1).score) break;
  }
  return hypotheses;
}
