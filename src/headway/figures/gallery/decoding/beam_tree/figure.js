// Beam search in a tree of sentences: a table in which sentences that begin alike share cells.
// data: { end, rows: [{ words, count }], most: beams, beams, steps }
import { addressed, flag, whole } from "../../../core/address.js";
import { h, labelled, select, show, stageOf, voice } from "../../../core/shared.js";

const RULES = ["the best of all continuations", "the best continuation of each beam"];

// All beginnings of the sentences, each with the share of the sentences that begin with it, and
// its continuations by one word, the likeliest first.
// → the empty beginning: { words, p, ended, children }
export function grow(rows, end) {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const within = (words, from) => {
    const next = new Map();
    for (const row of from) {
      const word = row.words[words.length] ?? end;
      next.set(word, [...(next.get(word) ?? []), row]);
    }
    const ended = words.at(-1) === end;
    return {
      words,
      ended,
      p: from.reduce((sum, { count }) => sum + count, 0) / total,
      children: ended
        ? []
        : [...next].map(([word, some]) => within([...words, word], some)).sort((a, b) => b.p - a.p),
    };
  };
  return within([], rows);
}

// The steps of a search with so many beams, by headway.inference.beam's rules without a length
// term: of the best 2K candidates those of the best K that end are finished, and the best K others
// live on. With `once`, only the best child of each beam is a candidate, from the second word on.
// → [{ candidates, living, finished }], beginnings of `grow`; `finished` holds the best K so far.
export function search(root, beams, once) {
  const steps = [];
  let living = [root];
  let finished = [];
  const done = () =>
    !living.length || (finished.length === beams && living[0].p <= finished.at(-1).p);
  while (!done()) {
    const candidates = living
      .flatMap(({ words, children }) => (once && words.length ? children.slice(0, 1) : children))
      .sort((a, b) => b.p - a.p);
    finished = [...finished, ...candidates.slice(0, beams).filter(({ ended }) => ended)]
      .sort((a, b) => b.p - a.p)
      .slice(0, beams);
    living = candidates.slice(0, 2 * beams).filter(({ ended }) => !ended).slice(0, beams);
    steps.push({ candidates, living, finished });
  }
  return steps;
}

// What has become of a beginning after some steps: "later" if it is not that far, "kept", "dropped"
// if it was a candidate, and "unseen" if its own beginning was dropped before.
export function fate(node, steps) {
  const depth = node.words.length;
  if (depth > steps.length) return "later";
  const { candidates, living, finished } = steps[depth - 1];
  if (living.includes(node) || (node.ended && finished.includes(node))) return "kept";
  return candidates.includes(node) ? "dropped" : "unseen";
}

const spell = ({ words, ended }) => `“${words.slice(0, ended ? -1 : undefined).join(" ")}”`;
const listed = (nodes) => nodes.map((node) => `${spell(node)} ${show(node.p)}`).join(", ");

// What a step does, in words; step 0 is before the first.
export function told(steps, step, once) {
  if (!step) return "Nothing is written yet.";
  const { candidates, living, finished } = steps[step - 1];
  const compared = `${candidates.length} ${candidates.length === 1 ? "beginning is" : "beginnings are"} compared`;
  const kept = living.length ? `; kept: ${listed(living)}` : "";
  const over = finished.length ? `; finished: ${listed(finished)}` : "";
  return `Step ${step}${once ? ", one child for each beam" : ""}: ${compared}${kept}${over}.`;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const data = model.get("data");
    const tree = grow(data.rows, data.end);
    const ends = leaves(tree);
    const columns = Math.max(...ends.map(({ words }) => words.length));
    const address = addressed(model, root, { beams: whole(data.most, 1), once: flag, step: whole(columns + 1) });
    const state = { beams: data.beams, once: false, step: data.steps, ...address.given };
    let steps = search(tree, state.beams, state.once);
    state.step = Math.min(state.step, steps.length);

    const counts = Array.from({ length: data.most }, (_, i) => String(i + 1));
    const many = select(counts, state.beams - 1, (i) => anew({ beams: i + 1 }));
    const rule = select(RULES, Number(state.once), (i) => anew({ once: i === 1 }));
    const press = (name, click) => h("button", { type: "button", class: "hw-word-button", click }, name);
    const forward = press("Next step", () => go(1));
    const back = press("Back", () => go(-1));
    const reading = h("p", { class: "hw-sentence" });
    const result = h("p", { class: "hw-doubt" });
    const cells = []; // [beginning, its cell, its words for screen readers]
    const body = h("tbody", {}, ...rowsOf(tree));
    const places = Array.from({ length: columns }, (_, i) => h("th", { scope: "col" }, `word ${i + 1}`));

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Beams K", many), labelled("Keep", rule)),
      h("div", { class: "hw-controls" }, forward, back),
      reading,
      h(
        "div",
        { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": "Tree of sentences" },
        h(
          "table",
          { class: "hw-beam-tree" },
          h("caption", {}, "Each beginning with its probability"),
          h("thead", {}, h("tr", {}, ...places)),
          body,
        ),
      ),
      result,
    );
    const say = voice(root);
    draw();

    function leaves(node) {
      return node.ended ? [node] : node.children.flatMap(leaves);
    }

    // Rows of the table, a sentence each; a cell is as high as the sentences that share it.
    function rowsOf(node) {
      if (node.ended) return [h("tr", {})];
      const below = node.children.map((child) => {
        const rows = rowsOf(child);
        const heard = h("span", { class: "hw-voice" });
        const cell = h(
          "td",
          { rowspan: rows.length },
          h("span", {}, child.words.at(-1)),
          h("small", {}, show(child.p)),
          heard,
        );
        rows[0].prepend(cell);
        cells.push([child, cell, heard]);
        return rows;
      });
      return below.flat();
    }

    function anew(change) {
      Object.assign(state, change);
      steps = search(tree, state.beams, state.once);
      state.step = Math.min(state.step, steps.length);
      tell();
    }

    function go(by) {
      state.step = Math.min(Math.max(state.step + by, 0), steps.length);
      tell();
    }

    function tell() {
      draw();
      say(`${reading.textContent} ${result.textContent}`);
      address.keep(state);
    }

    function draw() {
      const taken = steps.slice(0, state.step);
      const over = state.step === steps.length;
      const best = steps.at(-1).finished[0];
      const likeliest = Math.max(...ends.map(({ p }) => p));
      for (const [node, cell, heard] of cells) {
        const now = fate(node, taken);
        const found = over && node.words.every((word, i) => word === best.words[i]);
        cell.className = `hw-beam-tree-${found ? "found" : now}`;
        heard.textContent = found ? ", found" : now === "kept" || now === "dropped" ? `, ${now}` : "";
      }
      reading.textContent = told(steps, state.step, state.once);
      result.textContent = over
        ? `The search has found ${spell(best)}, ${show(best.p)}. The likeliest sentence has ${show(likeliest)}.`
        : "";
      forward.setAttribute("aria-disabled", over);
      back.setAttribute("aria-disabled", state.step === 0);
    }
  },
};
