// What every head looks at from one word of a sentence: a row a head, a column a word.
// data: { sentences: [{ words: [T], start, weights: [H][T][T] }], heads: [H], start }
import { addressed, whole } from "../../../core/address.js";
import { h, labelled, select, set, show, stageOf, voice } from "../../../core/shared.js";

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { sentences, heads, start } = model.get("data");
    const fewest = Math.min(...sentences.map(({ words }) => words.length));
    const address = addressed(model, root, {
      ...{ sentence: whole(sentences.length), head: whole(heads.length), query: whole(fewest) },
    });
    const { sentence = 0 } = address.given;
    const state = { sentence, head: start, query: sentences[sentence].start, ...address.given };

    const sentenceSelect = select(
      sentences.map(({ words }) => words.join(" ")),
      0,
      (i) => update({ sentence: i, query: sentences[i].start }),
    );
    const querySelect = h("select", { input: (e) => update({ query: Number(e.target.value) }) });
    const headSelect = select(heads, start, (i) => update({ head: i }));
    const head = h("tr", {});
    const body = h("tbody", {});
    const said = h("p", { class: "hw-sentence" });
    const pattern = h("svg", { class: "hw-head-pattern", role: "img" });
    const patternName = h("p", { class: "hw-doubt" });

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Sentence", sentenceSelect)),
      h(
        "div",
        { class: "hw-controls" },
        labelled("The word that asks", querySelect),
        labelled("Head", headSelect),
      ),
      h(
        "div",
        {
          class: "hw-scroll hw-head-scroll",
          tabindex: 0,
          role: "region",
          "aria-label": "Weights of every head",
        },
        h("table", { class: "hw-head-grid" }, h("thead", {}, head), body),
      ),
      said,
      pattern,
      patternName,
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(said.textContent);
      address.keep(state);
    }

    function draw() {
      const { words, weights } = sentences[state.sentence];
      const { query } = state;
      querySelect.replaceChildren(
        ...words.map((word, t) =>
          h("option", { value: t, selected: t === query }, `${t + 1} · ${word}`),
        ),
      );
      sentenceSelect.value = state.sentence;
      querySelect.value = query;
      headSelect.value = state.head;
      head.replaceChildren(
        h("td", {}, "looks at"),
        ...words.map((word, t) =>
          h(
            "th",
            { scope: "col", class: t === query ? "hw-head-asks" : null, click: () => update({ query: t }) },
            h("span", {}, word),
          ),
        ),
      );
      body.replaceChildren(
        ...heads.map((name, i) =>
          h(
            "tr",
            { class: i === state.head ? "hw-head-chosen" : null, click: () => update({ head: i }) },
            h("th", { scope: "row" }, name),
            ...weights[i][query].map((w) =>
              h("td", { class: "hw-head-cell", style: `--p: ${w}` }, w < 0.005 ? "" : show(w)),
            ),
          ),
        ),
      );
      const line = weights[state.head][query];
      const most = line.indexOf(Math.max(...line));
      said.textContent =
        `${heads[state.head]}: “${words[query]}” looks at “${words[most]}” most` +
        ` (word ${most + 1}, weight ${show(line[most])}).`;
      drawPattern(words, weights[state.head]);
    }

    function drawPattern(words, matrix) {
      const T = words.length;
      set(pattern, { viewBox: `0 0 ${T} ${T}` });
      pattern.setAttribute(
        "aria-label",
        `All weights of ${heads[state.head]}: a row for each word that asks, a column for each that is looked at.`,
      );
      pattern.replaceChildren(
        ...matrix.flatMap((line, t) =>
          line.map((w, s) =>
            h("rect", {
              x: s + 0.04,
              y: t + 0.04,
              width: 0.92,
              height: 0.92,
              class: "hw-head-dot",
              style: `--p: ${w}`,
            }),
          ),
        ),
        h("rect", { class: "hw-head-row", x: 0, y: state.query, width: T, height: 1 }),
      );
      patternName.textContent =
        `The whole pattern of ${heads[state.head]}: row = the word that asks, column = the word looked at.`;
    }
  },
};
