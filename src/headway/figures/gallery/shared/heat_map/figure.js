// A matrix of probabilities with a cursor. The row under it is read out: what may follow, how
// probable it is, and how much doubt the row leaves.
// data: { rows: [R], columns: [W], matrix: [R][W], row, column }
import { addressed, whole } from "../../../core/address.js";
import { walk } from "../../../core/grid.js";
import { h, labelled, select, show, stageOf, voice } from "../../../core/shared.js";

// The entropy of a row of probabilities, in nats.
export function doubtOf(row) {
  return row.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { rows, columns, matrix, row, column } = model.get("data");
    const address = addressed(model, root, { row: whole(rows.length), column: whole(columns.length) });
    const state = { row, column, ...address.given };

    const rowSelect = select(rows, row, (i) => update({ row: i }));
    const columnSelect = select(columns, column, (j) => update({ column: j }));
    const cell = (p, i, j) =>
      h(
        "td",
        {
          role: "gridcell",
          tabindex: -1,
          class: p ? "hw-heat" : "hw-heat hw-zero",
          style: `--p: ${p}`,
          click: () => go(i, j),
        },
        show(p),
      );
    const cells = matrix.map((line, i) => line.map((p, j) => cell(p, i, j)));
    const heads = columns.map((name) =>
      h("th", { role: "columnheader", scope: "col" }, h("span", {}, name)),
    );
    const names = rows.map((name) => h("th", { role: "rowheader", scope: "row" }, name));
    const lines = cells.map((line, i) => h("tr", { role: "row" }, names[i], ...line));
    const grid = h(
      "table",
      { role: "grid", class: "hw-heat-map", "aria-label": "Probability of the next word" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("td", { role: "gridcell" }, "after"), ...heads)),
      h("tbody", { role: "rowgroup" }, ...lines),
    );
    const stand = walk(grid, () => cells, go);
    const one = h("p", { class: "hw-sentence" });
    const bars = h("tbody", {});
    const barsCaption = h("caption", {});
    const doubt = h("p", { class: "hw-doubt" });

    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        labelled("After", rowSelect),
        labelled("Next word", columnSelect),
      ),
      h("div", { class: "hw-scroll hw-heat-scroll" }, grid),
      one,
      h("table", { class: "hw-grid hw-bars" }, barsCaption, bars),
      doubt,
    );
    const say = voice(root);
    draw();

    function go(i, j) {
      update({ row: i, column: j });
    }

    function update(change) {
      Object.assign(state, change);
      draw();
      say(`${one.textContent} ${doubt.textContent}`);
      address.keep(state);
    }

    function draw() {
      const line = matrix[state.row];
      const after = rows[state.row];
      rowSelect.value = state.row;
      columnSelect.value = state.column;
      cells.forEach((of, i) =>
        of.forEach((td, j) => {
          const here = i === state.row && j === state.column;
          td.classList.toggle("hw-cursor", here);
        }),
      );
      stand(state.row, state.column);
      lines.forEach((tr, i) => tr.classList.toggle("hw-current", i === state.row));
      heads.forEach((th, j) => th.classList.toggle("hw-current", j === state.column));
      one.textContent = `After “${after}”, the next word is “${columns[state.column]}” with probability ${show(line[state.column], 3)}.`;
      barsCaption.textContent = `What may follow “${after}”`;
      const possible = line.map((p, j) => ({ p, j })).filter(({ p }) => p > 0);
      bars.replaceChildren(
        ...possible.map(({ p, j }) =>
          h(
            "tr",
            { class: j === state.column ? "hw-lit" : null },
            h("th", { scope: "row" }, columns[j]),
            h("td", {}, show(p, 3)),
            h("td", { class: "hw-bar-cell" }, h("span", { class: "hw-bar", style: `--to: ${p}` })),
          ),
        ),
      );
      const nats = doubtOf(line);
      doubt.textContent = possible.length
        ? `Doubt of the row: ${show(nats, 3)} nats, as between ${show(Math.exp(nats))} equally likely words.`
        : "Nothing ever followed: the row sums to 0.";
    }
  },
};
