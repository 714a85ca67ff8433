// One-hot vector times matrix: the row of the chosen word comes out. Two words that share the
// weight give the weighted mean of their rows.
// data: { words: [V], columns: [C], table: [V][C], first, second }
import { addressed, between, flag, whole } from "../../../core/address.js";
import { walk } from "../../../core/grid.js";
import { h, labelled, range, select, show, stageOf, voice } from "../../../core/shared.js";

// The one-hot vector of `first`, less the `share` of the weight that `second` has.
export function mixture(size, first, second, share) {
  const weights = Array(size).fill(0);
  weights[first] += 1 - share;
  weights[second] += share;
  return weights;
}

// A vector [V] times a matrix [V][C].
export function times(weights, table) {
  return table[0].map((_, c) => weights.reduce((sum, w, v) => sum + w * table[v][c], 0));
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { words, columns, table, first, second } = model.get("data");
    const place = whole(words.length);
    const address = addressed(model, root, { first: place, second: place, share: between(0, 1), mixing: flag });
    const state = { first, second, share: 0.5, mixing: false, ...address.given };
    const group = `hw-mode-${Math.random().toString(36).slice(2)}`;

    const mode = (label, mixes) =>
      h(
        "label",
        { class: "hw-choice" },
        h("input", {
          type: "radio",
          name: group,
          checked: mixes === state.mixing,
          input: () => update({ mixing: mixes }),
        }),
        label,
      );
    const firstSelect = select(words, state.first, (i) => update({ first: i }));
    const secondSelect = select(words, state.second, (i) => update({ second: i }));
    const share = range(0, 1, 0.05, state.share, (value) => update({ share: value }));
    const shareShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const mixing = h(
      "div",
      { class: "hw-controls" },
      labelled("Second word", secondSelect),
      labelled("Weight of the second word", share, shareShown),
    );

    const vector = h("p", { class: "hw-vector" });
    const buttons = words.map((word, i) =>
      h(
        "button",
        { type: "button", class: "hw-word-button", click: () => update({ first: i }) },
        word,
      ),
    );
    const weightCells = words.map(() => h("td", { class: "hw-weight" }));
    const productCells = table.map((row) => row.map(() => h("td", {})));
    const rows = words.map((_, i) =>
      h("tr", {}, h("th", { scope: "row" }, buttons[i]), weightCells[i], ...productCells[i]),
    );
    const body = h("tbody", {}, ...rows);
    const stand = walk(body, () => buttons.map((button) => [button]), (v) => update({ first: v }));
    const sums = columns.map(() => h("td", {}));
    const grid = h(
      "table",
      { class: "hw-grid" },
      h("caption", {}, "Each row of the matrix times its word’s weight; the last line is the sum"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["word", "weight", ...columns].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      body,
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: 2 }, "comes out"), ...sums)),
    );

    root.replaceChildren(
      h(
        "fieldset",
        { class: "hw-controls" },
        h("legend", {}, "Multiply by"),
        mode("one word", false),
        mode("a mixture of two", true),
      ),
      h("div", { class: "hw-controls" }, labelled("Word", firstSelect)),
      mixing,
      vector,
      h(
        "div",
        { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": "Products and their sum" },
        grid,
      ),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      const out = draw();
      const what = state.mixing
        ? `${show(1 - state.share)} ${words[state.first]} and ${show(state.share)} ${words[state.second]}`
        : words[state.first];
      say(`${what}: out comes ${out.map((x) => show(x)).join(", ")}`);
      address.keep(state);
    }

    function draw() {
      const weights = mixture(words.length, state.first, state.second, state.mixing ? state.share : 0);
      const out = times(weights, table);

      stand(state.first, 0);
      mixing.hidden = !state.mixing;
      firstSelect.value = state.first;
      shareShown.textContent = show(state.share);
      const name = state.mixing
        ? "The vector of the mixture"
        : `The one-hot vector of “${words[state.first]}”`;
      vector.textContent = `${name}: (${weights.map((w) => show(w)).join(", ")})`;
      words.forEach((_, v) => {
        rows[v].classList.toggle("hw-lit", weights[v] > 0);
        buttons[v].setAttribute("aria-pressed", v === state.first);
        weightCells[v].textContent = show(weights[v]);
        table[v].forEach((x, c) => {
          productCells[v][c].textContent = `${show(weights[v])} · ${show(x)}`;
        });
      });
      out.forEach((x, c) => (sums[c].textContent = show(x)));
      return out;
    }
  },
};
