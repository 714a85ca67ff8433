// A Markov chain to walk: the row of the current state, and a random number that picks from it.
// data: { states: [V], matrix: [V][V], places: [V][x, y], width, height,
//         halves: [V], start, draws: [seeds][N] in ten-thousandths }
import { h, labelled, select, show, stageOf, voice } from "../../../core/shared.js";

// The parts of 0 … 1 that belong to the states that may follow, by a row of the matrix.
export function partsOf(row) {
  let reached = 0;
  const all = row.map((p, j) => ({ j, p, from: reached, to: (reached += p) }));
  return all.filter(({ p }) => p > 0);
}

// A walk that stands at the start. `tally` holds the sentences that chance has finished.
export function fresh(start) {
  return { here: start, path: [], chance: 1, used: 0, free: false, last: "", tally: new Map() };
}

// One step of a walk, to state j. A sentence in which the reader chose a word does not count:
// chance did not write it.
export function go(walk, { states, matrix, start }, j, why, chosen) {
  if (walk.here === start) Object.assign(walk, { path: [], chance: 1, free: false });
  walk.free ||= chosen;
  walk.chance *= matrix[walk.here][j];
  walk.here = j;
  walk.last = why;
  if (j !== start) walk.path.push(states[j]);
  else {
    const written = walk.path.join(" ");
    const past = walk.tally.get(written) ?? { times: 0, chance: walk.chance };
    if (!walk.free) walk.tally.set(written, { ...past, times: past.times + 1 });
  }
  return why;
}

// One step by the next of the draws, which are ten-thousandths; "" if all are used.
export function draw(walk, chain, draws) {
  if (walk.used >= draws.length) return "";
  const u = draws[walk.used++] / 1e4;
  const { states, matrix } = chain;
  const options = partsOf(matrix[walk.here]);
  const { j, from, to } = options.find((part) => u < part.to) ?? options.at(-1);
  const why = `The draw ${u.toFixed(4)} lies between ${show(from)} and ${show(to)}: after ${states[walk.here]} comes ${states[j]}.`;
  return go(walk, chain, j, why, false);
}

// Steps until so many sentences have ended, or the draws are used.
export function write(walk, chain, draws, sentences) {
  for (let ended = 0; ended < sentences && draw(walk, chain, draws); ) ended += walk.here === chain.start;
  return walk;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { states, matrix, places, width, height, halves, start, draws } = model.get("data");
    const chain = { states, matrix, start };
    const state = { seed: 0, ...fresh(start) };
    const half = (i) => halves[i]; // of the width of a node

    const node = (name, i) => {
      const [x, y] = places[i];
      const box = { x: x - half(i), y: y - 14, width: 2 * half(i), height: 28, rx: 8 };
      return h("g", { class: "hw-node", click: () => choose(i) }, h("rect", box), h("text", { x, y }, name));
    };
    const nodes = states.map(node);
    const arrows = [];
    matrix.forEach((row, i) => row.forEach((p, j) => p > 0 && arrows.push(arrow(i, j, p))));
    const graph = h(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "hw-graph", "aria-hidden": "true" },
      ...arrows.flatMap(({ parts }) => parts),
      ...nodes,
      ...arrows.map(({ label }) => label),
    );

    const press = (name, click) => h("button", { type: "button", class: "hw-word-button", click }, name);
    const stepButton = press("Take a step", () => tell(draw(state, chain, draws[state.seed])));
    const manyButton = press("Write 20 sentences", many);
    const seeds = draws.map((_, i) => `${i}`);
    const seedSelect = select(seeds, 0, (i) => restart(i));
    const sentence = h("p", { class: "hw-sentence" });
    const drawn = h("p", { class: "hw-drawn" });
    const row = h("tbody", {});
    const rowCaption = h("caption", {});
    const tally = h("tbody", {});
    const head = (...names) =>
      h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name))));

    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        stepButton,
        manyButton,
        press("Start over", () => restart(state.seed)),
        labelled("Seed", seedSelect),
      ),
      h(
        "div",
        { class: "hw-side-by-side hw-top" },
        graph,
        h(
          "div",
          { class: "hw-beside" },
          sentence,
          drawn,
          h("table", { class: "hw-grid hw-row-used" }, rowCaption, head("next", "probability", "its part of 0\u00a0…\u00a01"), row),
        ),
      ),
      h(
        "div",
        { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": "Sentences written" },
        h(
          "table",
          { class: "hw-grid hw-tally" },
          h("caption", {}, "Sentences that chance has finished"),
          head("sentence", "times", "share", "probability"),
          tally,
        ),
      ),
    );
    const say = voice(root);
    show_all();

    function arrow(i, j, p) {
      const [[x1, y1], [x2, y2]] = [places[i], places[j]];
      let line, tip, angle, at;
      if (y2 > y1) {
        tip = [x2, y2 - 15];
        angle = Math.atan2(tip[1] - y1 - 14, x2 - x1);
        line = `M${x1} ${y1 + 14} L${tip[0]} ${tip[1]}`;
        at = [(x1 + x2) / 2 + (x2 < x1 ? -15 : 15), (y1 + y2) / 2];
      } else if (y2 === y1 && i !== j) {
        const side = x2 > x1 ? 1 : -1;
        tip = [x2 - side * (half(j) + 1), y2];
        angle = side > 0 ? 0 : Math.PI;
        line = `M${x1 + side * half(i)} ${y1} L${tip[0]} ${tip[1]}`;
        at = [(x1 + x2) / 2, y1 - 9];
      } else {
        const lane = i === j ? x1 + half(i) + 34 : width - 8;
        tip = [x2 + half(j) + 1, y2 + (i === j ? -6 : 0)];
        angle = Math.PI;
        line = `M${x1 + half(i)} ${y1 + (i === j ? 6 : 0)} C${lane} ${y1} ${lane} ${y1} ${lane} ${(y1 + y2) / 2} S${lane} ${y2} ${tip[0]} ${tip[1]}`;
        at = [lane - 14, (y1 + y2) / 2];
      }
      const wing = (turn) => [tip[0] - 9 * Math.cos(angle + turn), tip[1] - 9 * Math.sin(angle + turn)];
      const points = [tip, wing(0.42), wing(-0.42)].map(String).join(" ");
      const parts = [
        h("path", { class: "hw-arrow", d: line, "stroke-width": 1 + 2 * p }),
        h("polygon", { class: "hw-head", points }),
      ];
      return { i, parts, label: h("text", { class: "hw-p", x: at[0], y: at[1] }, p < 1 ? show(p) : "") };
    }

    function choose(j) {
      if (!matrix[state.here][j]) return;
      const inRow = row.contains(document.activeElement);
      tell(go(state, chain, j, `You chose ${states[j]} after ${states[state.here]}.`, true));
      if (inRow) row.querySelector("button").focus(); // the one that was pressed is gone
    }

    function many() {
      write(state, chain, draws[state.seed], 20);
      const total = [...state.tally.values()].reduce((sum, { times }) => sum + times, 0);
      tell(`${total} sentences so far.`);
    }

    function restart(seed) {
      Object.assign(state, fresh(start), { seed });
      tell(`Seed ${seed}, back at ${states[start]}.`);
    }

    function tell(words) {
      show_all();
      say(words ? `${words} ${sentence.textContent}` : drawn.textContent);
    }

    function show_all() {
      const spent = state.used >= draws[state.seed].length;
      stepButton.disabled = manyButton.disabled = spent;
      const so_far = state.path.join(" ") || "(nothing yet)";
      const ended = state.here === start && state.path.length;
      sentence.textContent = `${ended ? "Sentence, ended" : "Sentence so far"}: ${so_far}. Probability ${show(state.chance, 4)}.`;
      drawn.textContent = spent ? "The draws of this seed are used up: start over, or take another." : state.last;
      nodes.forEach((shape, i) => {
        shape.classList.toggle("hw-here", i === state.here);
        shape.classList.toggle("hw-next", matrix[state.here][i] > 0);
      });
      arrows.forEach(({ i, parts: drawing, label }) =>
        [...drawing, label].forEach((part) => part.classList.toggle("hw-on", i === state.here)),
      );
      rowCaption.textContent = `The row in use: ${states[state.here]}`;
      row.replaceChildren(
        ...partsOf(matrix[state.here]).map(({ j, p, from, to }) => {
          const bar = h("span", { class: "hw-bar", style: `--from: ${from}; --to: ${to}` });
          const range = h("td", {}, bar, `${show(from)} … ${show(to)}`);
          return h("tr", {}, h("th", { scope: "row" }, press(states[j], () => choose(j))), h("td", {}, show(p)), range);
        }),
      );
      const written = [...state.tally].sort((a, b) => b[1].chance - a[1].chance).slice(0, 8);
      const total = [...state.tally.values()].reduce((sum, { times }) => sum + times, 0);
      tally.replaceChildren(
        ...written.map(([words, { times, chance }]) =>
          h("tr", {}, h("th", { scope: "row" }, words), ...[times, show(times / total, 3), show(chance, 3)].map((x) => h("td", {}, x))),
        ),
      );
      tally.parentElement.parentElement.hidden = !total;
    }
  },
};
