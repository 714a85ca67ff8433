// The score of every word for a vector that is made of words, and the words that score highest.
// data: { words: [V], vectors: [V][C], tables: [{ name, rows: [V][C] or null: the vectors }],
//         start: [1 or 3 places], count }
import { addressed, flag, whole } from "../../../core/address.js";
import { h, labelled, select, show, stageOf, voice } from "../../../core/shared.js";
import { dot, softmax } from "../../../engine/tensors.js";

// One row, or first − second + third.
export function combined(vectors, [first, second, third]) {
  if (second == null) return vectors[first];
  return vectors[first].map((x, c) => x - vectors[second][c] + vectors[third][c]);
}

// What each word scores: [V].
export function scoresOf(table, vector) {
  return table.map((row) => dot(row, vector));
}

// The places of the `count` largest scores, largest first, those that tie in order.
export function best(scores, count, left = []) {
  return scores
    .map((_, i) => i)
    .filter((i) => !left.includes(i))
    .sort((a, b) => scores[b] - scores[a] || a - b)
    .slice(0, count);
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { words, vectors, tables, start, count } = model.get("data");
    const word = whole(words.length);
    const address = addressed(model, root, {
      ...{ first: word, second: word, third: word, three: flag, table: whole(tables.length), leave: flag },
    });
    const { first = start[0], second = start[1] ?? 0, third = start[2] ?? 0, ...more } = address.given;
    const state = { chosen: [first, second, third], three: start.length === 3, table: 0, leave: false, ...more };

    const pick = (i) => (word) => update({ chosen: state.chosen.with(i, word) });
    const selects = state.chosen.map((word, i) => select(words, word, pick(i)));
    const tick = (name, key) =>
      h(
        "label",
        { class: "hw-choice" },
        h("input", { type: "checkbox", checked: state[key], input: (e) => update({ [key]: e.target.checked }) }),
        name,
      );
    const tableSelect = select(tables.map(({ name }) => name), state.table, (table) => update({ table }));
    const others = h(
      "div",
      { class: "hw-controls" },
      labelled("minus", selects[1]),
      labelled("plus", selects[2]),
    );
    const caption = h("caption", {});
    const body = h("tbody", {});
    const reading = h("p", { class: "hw-sentence" });
    const column = (name) => h("th", { scope: "col" }, name);
    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Word", selects[0]), tick("subtract and add words", "three")),
      others,
      h(
        "div",
        { class: "hw-controls" },
        labelled("Scores by", tableSelect),
        tick("leave out the chosen words", "leave"),
      ),
      h(
        "table",
        { class: "hw-grid hw-word-scores" },
        caption,
        h("thead", {}, h("tr", {}, ...["word", "score", "probability", "bar"].map(column))),
        body,
      ),
      reading,
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      const [first] = draw();
      say(`${made()}: ${words[first]} scores highest. ${reading.textContent}`);
      const [one, two, other] = state.chosen;
      address.keep({ ...state, first: one, second: two, third: other });
    }

    function made() {
      const [first, second, third] = state.chosen.map((i) => words[i]);
      return state.three ? `${first} − ${second} + ${third}` : first;
    }

    function draw() {
      const used = state.three ? state.chosen : state.chosen.slice(0, 1);
      const scores = scoresOf(tables[state.table].rows ?? vectors, combined(vectors, used));
      const shares = softmax(scores);
      const top = best(scores, count, state.leave ? used : []);
      others.hidden = !state.three;
      selects.forEach((node, i) => (node.value = state.chosen[i]));
      caption.textContent = `Words that score highest for ${made()}`;
      body.replaceChildren(
        ...top.map((i) => {
          const fill = h("div", { class: "hw-meter" });
          fill.style.width = `${100 * shares[i]}%`;
          return h(
            "tr",
            { class: used.includes(i) ? "hw-lit" : null },
            h("th", { scope: "row" }, words[i]),
            h("td", {}, show(scores[i])),
            h("td", {}, show(shares[i], 3)),
            h("td", { class: "hw-word-share", "aria-hidden": "true" }, h("div", { class: "hw-meter-track" }, fill)),
          );
        }),
      );
      const rank = 1 + scores.filter((x) => x > scores[used[0]]).length;
      const below = scores.filter((x) => x < 0).length;
      reading.textContent = `“${words[used[0]]}” itself comes at place ${rank} of ${words.length}. Negative scores: ${below}.`;
      return top;
    }
  },
};
