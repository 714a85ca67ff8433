// Where a decoder looks while it says each word: a row of weights for every word said, over the
// words of the source. A menu chooses the sentence, another one the head.
// data: { heads: [H], row, cases: [{ source: [S], target: [T], weights: [H][T][S] }] }
import { h, labelled, select, show, stageOf, voice } from "../../core/shared.js";

// Where the reading of the source goes back: pairs of a place and the next, earlier one, by the
// largest weight of each row [T][S].
export function crossings(weights) {
  const places = weights.map((line) => line.indexOf(Math.max(...line)));
  return places.flatMap((s, t) => (t && s < places[t - 1] ? [[places[t - 1], s]] : []));
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { heads, row, cases } = model.get("data");
    const state = { one: 0, head: 0, row, column: 0 };
    const strongest = () => weightsNow().indexOf(Math.max(...weightsNow()));
    const weightsNow = () => cases[state.one].weights[state.head][state.row];

    const titles = cases.map(({ source }) => source.filter((word) => word[0] !== "<").join(" "));
    const caseSelect = select(titles, 0, (one) => update({ one, row: 0 }));
    const headSelect = select(heads, 0, (head) => update({ head }));
    const stage = h("div", { class: "hw-scroll hw-heat-scroll" });
    const reading = h("p", { class: "hw-sentence" });
    const crossing = h("p", { class: "hw-doubt" });
    let cells, lines, heads_;

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Sentence", caseSelect)),
      h("div", { class: "hw-controls" }, labelled("Head", headSelect)),
      stage,
      reading,
      crossing,
    );
    const say = voice(root);
    state.column = strongest();
    build();
    draw();

    function build() {
      const { source, target } = cases[state.one];
      cells = target.map((_, t) =>
        source.map((_, s) =>
          h("td", {
            role: "gridcell",
            tabindex: -1,
            class: "hw-heat",
            click: () => update({ row: t, column: s }, true),
            keydown,
          }),
        ),
      );
      heads_ = source.map((word) => h("th", { role: "columnheader", scope: "col" }, h("span", {}, word)));
      lines = target.map((word, t) =>
        h("tr", { role: "row" }, h("th", { role: "rowheader", scope: "row" }, word), ...cells[t]),
      );
      stage.replaceChildren(
        h(
          "table",
          { role: "grid", class: "hw-heat-map", "aria-label": "Weight of each source word" },
          h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("td", { role: "gridcell" }, "says"), ...heads_)),
          h("tbody", { role: "rowgroup" }, ...lines),
        ),
      );
    }

    function keydown(event) {
      const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
      const [down, right] = moves[event.key] ?? [];
      if (down === undefined) return;
      event.preventDefault();
      const { source, target } = cases[state.one];
      const within = (value, size) => Math.min(Math.max(value, 0), size - 1);
      update(
        { row: within(state.row + down, target.length), column: within(state.column + right, source.length) },
        true,
      );
    }

    function update(change, focus) {
      const rebuilt = "one" in change;
      Object.assign(state, change);
      if (rebuilt) build();
      if (!("column" in change)) state.column = strongest();
      draw();
      if (focus) cells[state.row][state.column].focus();
      say(reading.textContent);
    }

    function draw() {
      const { source, target, weights } = cases[state.one];
      const now = weights[state.head];
      caseSelect.value = state.one;
      headSelect.value = state.head;
      cells.forEach((line, t) =>
        line.forEach((td, s) => {
          const here = t === state.row && s === state.column;
          td.textContent = show(now[t][s]);
          td.style.setProperty("--p", now[t][s]);
          td.classList.toggle("hw-zero", now[t][s] < 0.005);
          td.classList.toggle("hw-cursor", here);
          td.tabIndex = here ? 0 : -1;
        }),
      );
      lines.forEach((tr, t) => tr.classList.toggle("hw-current", t === state.row));
      heads_.forEach((th, s) => th.classList.toggle("hw-current", s === state.column));
      reading.textContent =
        `While it says “${target[state.row]}”, the decoder gives “${source[state.column]}” ` +
        `the weight ${show(now[state.row][state.column])}.`;
      const back = crossings(now).map(([before, s]) => `“${source[before]}” before “${source[s]}”`);
      crossing.textContent = back.length
        ? `Read against the order of the source: ${back.join(", ")}.`
        : "The source is read from left to right.";
    }
  },
};
