// A sentence as a graph: words below each other, arcs as thick as the weights of attention. The
// edges into the chosen word, or out of it, stand out.
// data: { words: [T], heads: [H], weights: [H][T][T] (row t: into word t), word, head, least }
import { addressed, between, flag, whole } from "../../../core/address.js";
import { h, labelled, range, select, set, show, stageOf, voice } from "../../../core/shared.js";

// The edges of one head [T][T] that weigh at least so much: [{ from, to, weight }].
export function edgesFrom(weights, least) {
  return weights.flatMap((row, to) =>
    row.flatMap((weight, from) => (weight > 0 && weight >= least ? [{ from, to, weight }] : [])),
  );
}

// Those that touch a word: the ones into it, or the ones out of it, the heaviest first.
export function touching(edges, word, into) {
  const mine = edges.filter((edge) => (into ? edge.to : edge.from) === word);
  return mine.sort((a, b) => b.weight - a.weight);
}

// Half an ellipse from one height to another, to the right of x; of a word to itself, a loop.
export function arc(x, start, end, step) {
  if (start === end) return `M${x},${start - step / 4}a${step / 3},${step / 4} 0 1 1 0,${step / 2}`;
  const radius = Math.abs(end - start) / 2;
  const sweep = end > start ? 1 : 0;
  return `M${x},${start}A${0.75 * radius},${radius} 0 0 ${sweep} ${x},${end}`;
}

const STEP = 27;
const LEFT = 112;

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { words, heads, weights, word, head, least } = model.get("data");
    const address = addressed(model, root, {
      ...{ word: whole(words.length), head: whole(heads.length), least: between(0, 0.5), into: flag },
    });
    const state = { word, head, least, into: true, ...address.given };
    const at = (t) => (t + 0.5) * STEP;
    const reach = LEFT + 0.375 * STEP * words.length + 24;

    const headSelect = select(heads, head, (chosen) => update({ head: chosen }));
    const wordSelect = select(words.map((name, t) => `${t + 1}. ${name}`), word, (t) => update({ word: t }));
    const waySelect = select(["into the word", "out of the word"], 0, (way) => update({ into: way === 0 }));
    const slider = range(0, 0.5, 0.01, least, (value) => update({ least: value }));
    const leastShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const names = words.map((name, t) =>
      h("text", { x: LEFT - 8, y: at(t), "text-anchor": "end", class: "hw-sentence-graph-word", click: () => update({ word: t }) }, name),
    );
    const arcs = h("g");
    const chart = h(
      "svg",
      { viewBox: `0 0 ${reach} ${STEP * words.length}`, class: "hw-sentence-graph", "aria-hidden": "true" },
      arcs,
      ...names,
    );
    const sentence = h("p", { class: "hw-sentence" });
    const count = h("p", { class: "hw-doubt" });
    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        labelled("Head", headSelect),
        labelled("Word", wordSelect),
        labelled("Edges", waySelect),
        labelled("Hide below", slider, leastShown),
      ),
      chart,
      sentence,
      count,
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(`${sentence.textContent} ${count.textContent}`);
      address.keep(state);
    }

    function draw() {
      const edges = edgesFrom(weights[state.head], state.least);
      const mine = touching(edges, state.word, state.into);
      const lines = edges.map((edge) => {
        const lit = mine.includes(edge);
        return h("path", {
          d: arc(LEFT, at(edge.from), at(edge.to), STEP),
          "stroke-width": 0.5 + 7 * edge.weight,
          class: lit ? "hw-sentence-graph-lit" : "hw-sentence-graph-edge",
        });
      });
      arcs.replaceChildren(...lines.filter((_, i) => !mine.includes(edges[i])), ...lines.filter((_, i) => mine.includes(edges[i])));
      names.forEach((node, t) => node.classList.toggle("hw-sentence-graph-chosen", t === state.word));
      headSelect.value = state.head;
      wordSelect.value = state.word;
      waySelect.value = state.into ? 0 : 1;
      slider.value = state.least;
      set(slider, { "aria-valuetext": `weights below ${show(state.least)}` });
      leastShown.textContent = show(state.least);
      const other = (edge) => words[state.into ? edge.from : edge.to];
      const listed = mine.slice(0, 3).map((edge) => `“${other(edge)}” ${show(edge.weight)}`);
      const way = state.into ? "receives from" : "sends to";
      sentence.textContent = listed.length
        ? `“${words[state.word]}” ${way} ${listed.join(", ")}${mine.length > 3 ? " …" : ""}.`
        : `“${words[state.word]}” has no edge as heavy as that.`;
      count.textContent = `${edges.length} of ${words.length ** 2} possible edges are drawn, ${mine.length} of them ${state.into ? "into" : "out of"} this word.`;
    }
  },
};
