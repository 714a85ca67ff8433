// What all heads do, as a grid of layers × heads; one of them from near; and switches for parts.
import { moved } from "../../../core/grid.js";
import { chance, h, labelled, select, set, show } from "../../../core/shared.js";
import { unpack } from "../../../engine/tensors.js";
import { answered } from "./asking.js";
import { alertLine, button, grid, headChoice, remark, scrolling, section, tokenRow } from "./widgets.js";
import { headName, listed, partName, percent, quoted, sentenced, works } from "./words.js";

// What a cell of the grid is shaded by: its name in the menu, and what a head looks at.
const MEASURES = [
  ["previous", "on the token before", "the token before"],
  ["itself", "on itself", "the token itself"],
  ["first", "on the first token", "the first token"],
  ["repeat", "on what followed the last time", "what followed the same token the last time"],
  ["to", "from the orange token to the blue one", ""],
];

// The place of the largest of [L][H] numbers.
export function strongest(table) {
  const flat = table.flat();
  const best = flat.indexOf(Math.max(...flat));
  return [Math.floor(best / table[0].length), best % table[0].length];
}

export function attentionPart({ state, facts, ask, about, update, say, place }) {
  const heads = grid("Heads: a row for each block, a column for each head", "hw-explorer-heads", 1, (layer, head) => update({ head: [layer, head] }, "head"));
  const said = h("p", { class: "hw-sentence" });
  const line = alertLine();
  const measure = select(MEASURES.map(([, name]) => name), 0, (i) => update({ measure: MEASURES[i][0] }, "heads"));
  const all = h("div", {}, scrolling("Heads", heads.node));
  set(heads.node, { style: `--most: 100%; --rows: ${facts.layers}; --columns: ${facts.heads}` });
  const drawHeads = (table, current = [0, 0]) => {
    const cell = (w, layer, head) => {
      const on = works(state.off, layer, `h${head}`);
      return { p: w, says: `Block ${layer + 1}, head ${head + 1}: ${on ? show(w) : "is switched off"}`, kind: on ? "" : "hw-explorer-out" };
    };
    const rows = table.map((weights, layer) => ({ front: [String(layer + 1)], cells: weights.map((w, head) => cell(w, layer, head)) }));
    heads.show({ head: ["block", ...table[0].map((_, i) => String(i + 1))], rows, column: current[1] }, current);
  };
  drawHeads(Array.from({ length: facts.layers }, () => Array(facts.heads).fill(0)));

  const refreshHeads = answered({
    ...{ box: all, line, ask },
    needs: () => about(state.measure === "to" ? { ask: "to", at: state.at, to: state.to } : { ask: "heads" }),
    shows(answer) {
      const [, , name] = MEASURES.find(([key]) => key === state.measure);
      const table = answer.weights ?? answer[state.measure];
      const to = state.measure === "to";
      const working = table?.map((row, layer) => row.map((w, i) => (works(state.off, layer, `h${i}`) ? w : -1)));
      const best = strongest(working ?? [[0]]);
      if (!state.head) update({ head: best });
      drawHeads(table ?? Array.from({ length: facts.layers }, () => Array(facts.heads).fill(0)), state.head);
      const most = working?.[best[0]][best[1]] ?? 0;
      const missing = state.measure === "repeat" ? "No token occurs twice in this text." : "This text is too short for that.";
      if (!table) said.textContent = missing;
      else if (most < 0) said.textContent = "All heads are switched off.";
      else if (to) said.textContent = `${quoted(state.pieces[state.at])} gives ${quoted(state.pieces[state.to])} most weight in ${headName(best)}: ${percent(most)}.`;
      else said.textContent = `${sentenced(headName(best))} looks most at ${name}: ${percent(most)} of its weight, on average.`;
      if (state.speaker === "heads") say(said.textContent);
    },
  });

  const one = headFromNear({ state, facts, ask, about, update, say });
  const node = section(
    place("attention", true),
    "Attention",
    remark("Each cell is a head: the stronger its color, the more weight its tokens give. Press one, or move with the arrow keys."),
    h("div", { class: "hw-controls hw-wide" }, labelled("Weight", measure)),
    said,
    h("div", { class: "hw-explorer-sides" }, h("div", {}, all, line), one.node),
  );
  return { node, refresh: () => (refreshHeads(), one.refresh()) };
}

// One head: what the word that asks gives to each token, and the weights of all of them.
function headFromNear({ state, facts, ask, about, update, say }) {
  const said = h("p", { class: "hw-sentence" });
  const line = alertLine();
  const choice = headChoice({ state, facts, update }, "head");
  const looked = tokenRow("The token that is looked at", (to) => update({ to: Math.min(to, state.at) }, "head"), "hw-explorer-looks");
  const canvas = h("canvas", { width: 1, height: 1 });
  const [row, column] = [h("i", {}), h("i", {})];
  const go = ([at, to]) => update({ at, to: Math.min(to, at) }, "head");
  const pattern = h(
    "div",
    {
      ...{ class: "hw-explorer-pattern", role: "application", tabindex: 0 },
      "aria-label": "All weights of this head: a row for each token that asks, a column for each that is looked at. The arrow keys move both.",
      keydown(event) {
        const next = moved(event, [state.at, state.to], [state.ids.length, state.ids.length]);
        if (next) go(next);
      },
      click({ clientX, clientY }) {
        const box = canvas.getBoundingClientRect();
        const cell = (share) => Math.min(Math.max(Math.floor(share * state.ids.length), 0), state.ids.length - 1);
        go([cell((clientY - box.top) / box.height), cell((clientX - box.left) / box.width)]);
      },
    },
    ...[canvas, row, column],
  );
  const table = h("tbody", {});
  const told = h("caption", {});
  const numbers = h("details", {}, h("summary", {}, "The chosen row as a table"), scrolling("The chosen row", h("table", { class: "hw-grid" }, told, table)));
  const box = h("div", {}, said, looked.node, pattern, remark("Row: the token that asks. Column: the token that it looks at."), numbers);
  const node = h("div", { class: "hw-explorer-rest" }, choice.node, box, line);
  let weights;

  // The halves as pixels: blue, the more opaque the larger the weight.
  function paint() {
    if (!weights) return;
    const { shape: [T], numbers: halves } = weights;
    const blue = getComputedStyle(canvas).color.match(/[\d.]+/g).slice(0, 3).map(Number);
    const image = new ImageData(T, T);
    halves.forEach((w, i) => image.data.set([...blue, Math.round(255 * w)], 4 * i));
    set(canvas, { width: T, height: T });
    canvas.getContext("2d").putImageData(image, 0, 0);
  }
  // Light and dark are an attribute of the page.
  new MutationObserver(paint).observe(document.documentElement, { attributes: true });

  const refresh = answered({
    ...{ box, line, ask },
    needs: () => (state.head ? about({ ask: "pattern", layer: state.head[0], head: state.head[1] }) : null),
    shows(answer) {
      [weights] = Object.values(unpack(answer.weights));
      const { at, to, pieces } = state;
      const T = weights.shape[0];
      const line = [...weights.numbers.subarray(at * T, at * T + at + 1)];
      const most = line.indexOf(Math.max(...line));
      const here = quoted(pieces[at]);
      const also = to === most ? "" : ` Token ${to + 1}, ${quoted(pieces[to])}, gets ${percent(line[to])}.`;
      const off = works(state.off, state.head[0], `h${state.head[1]}`) ? "" : `${sentenced(headName(state.head))} is switched off; this is what it would look at. `;
      said.textContent = `${off}In ${headName(state.head)}, ${here} gives most to token ${most + 1}, ${quoted(pieces[most])}: ${percent(line[most])} of its weight.${also}`;
      looked.show(pieces.map((text, s) => ({ text, p: line[s] ?? 0, kind: s === at ? "hw-explorer-asks" : s === to ? "hw-token-here" : "" })), to);
      paint();
      set(row, { style: `top: ${(100 * at) / T}%; height: ${100 / T}%; outline: 2px solid var(--hw-query)` });
      set(column, { style: `left: ${(100 * to) / T}%; width: ${100 / T}%; outline: 2px solid var(--hw-key)` });
      told.textContent = `What ${here} gives to each token in ${headName(state.head)}`;
      table.replaceChildren(...line.map((w, s) => h("tr", { class: s === to && "hw-lit" }, h("th", { scope: "row" }, h("span", { title: pieces[s] }, `${s + 1} ${pieces[s]}`)), h("td", {}, show(w, 3)))));
      if (state.speaker === "head") say(said.textContent);
    },
  });
  return { node, refresh: () => (choice.show(), refresh()) };
}

// Switches for the chosen head, and for the parts of its block; and what they did to the next word.
export function switchesPart({ state, facts, ask, about, update, read, place, say }) {
  const line = alertLine();
  const said = remark();
  const changed = h("p", { class: "hw-sentence" });
  const box = h("div", {}, changed);
  const asking = alertLine();
  const choice = headChoice({ state, facts, update });
  const kinds = [([l, i]) => `${l}.h${i}`, ([l]) => `${l}.attention`, ([l]) => `${l}.feed-forward`, ([l]) => `${l}`];
  const turn = (part) => {
    const off = state.off.includes(part) ? state.off.filter((one) => one !== part) : [...state.off, part].sort();
    read({ off }, line, "switches");
  };
  const buttons = kinds.map((part) => button("", () => turn(part(state.head ?? [0, 0]))));
  const everything = button("Switch everything on", () => state.off.length && read({ off: [] }, line, "switches"));
  const refresh = answered({
    ...{ box, line: asking, ask: (request) => Promise.all([request, { ...request, off: [] }].map(ask)) },
    needs: () => about({ ask: "next", at: state.at, temperature: 1, top_k: null, top_p: null }),
    shows(answers) {
      const [now, whole] = answers.map(({ rows: [best] }) => `${quoted(best.piece)} (${chance(best.p)})`);
      const { off } = state;
      const parts = off.length > 3 ? `${off.length} parts` : listed(off.map(partName));
      changed.textContent = off.length
        ? `With ${parts} off the likeliest next token is ${now}; with everything on it is ${whole}.`
        : `With everything on the likeliest next token after ${quoted(state.pieces[state.at])} is ${whole}.`;
      if (state.speaker === "switches") say(`${said.textContent} ${changed.textContent}`);
    },
  });
  const node = section(
    place("switches", true),
    "Switch parts off",
    remark("What is switched off adds nothing to the stream. Does the answer change?"),
    choice.node,
    h("div", { class: "hw-controls", role: "group", "aria-label": "Switch off" }, h("span", { "aria-hidden": "true" }, "Off:"), ...buttons, everything),
    ...[said, line, box, asking],
  );
  return {
    node,
    refresh() {
      const head = state.head ?? [0, 0];
      choice.show();
      buttons.forEach((one, i) => {
        one.textContent = partName(kinds[i](head));
        set(one, { "aria-pressed": state.off.includes(kinds[i](head)) });
      });
      set(everything, { "aria-disabled": !state.off.length });
      said.textContent = state.off.length ? `Switched off: ${state.off.map(partName).join(", ")}.` : "Everything is switched on.";
      if (state.speaker === "switches") say(said.textContent);
      refresh();
    },
  };
}
