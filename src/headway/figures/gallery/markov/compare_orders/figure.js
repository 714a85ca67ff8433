// A sentence read word by word: what models with a shorter and a longer memory expect next.
// data: { orders: [K], names: [K], start: [s, t], sentences: [{ words: [T+1],
//         models: [K][T+1]{ p, seen, top: [[word, p]] } }] }
import { h, labelled, range, select, show, stageOf, voice } from "../../../core/shared.js";

// What a sentence costs, word by word: the sum of −ln P, in nats.
export function priceOf(steps) {
  return steps.reduce((sum, { p }) => sum - Math.log(p), 0);
}

// A probability as a reader writes it; what is not zero never looks like zero.
export function chance(p, digits) {
  const least = 10 ** -digits;
  return p > 0 && p < least / 2 ? `< ${show(least, digits)}` : show(p, digits);
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { orders, names, sentences, start } = model.get("data");
    const state = { s: start[0], t: start[1] };

    const titles = sentences.map(({ words }) => words.slice(0, -1).join(" "));
    const sentenceSelect = select(titles, state.s, (s) => update({ s, t: 0 }));
    const move = range(0, 1, 1, state.t, (t) => update({ t }));
    const press = (name, by) =>
      h("button", { type: "button", class: "hw-word-button", click: () => step(by) }, name);
    const text = h("p", { class: "hw-reading" });
    const panels = names.map((name) => {
      const caption = h("caption", {});
      const body = h("tbody", {});
      const note = h("p", { class: "hw-drawn" });
      const table = h("table", { class: "hw-grid hw-bars" }, caption, body);
      return { name, caption, body, note, box: h("div", { class: "hw-panel" }, table, note) };
    });
    const sums = h("tbody", {});
    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Sentence", sentenceSelect)),
      h(
        "div",
        { class: "hw-controls" },
        press("Back", -1),
        press("Next word", 1),
        labelled("Place", move),
      ),
      text,
      h("div", { class: "hw-panels" }, ...panels.map(({ box }) => box)),
      h(
        "table",
        { class: "hw-grid hw-sums" },
        h("caption", {}, "The price of the sentence up to here: the sum of −ln P, in nats"),
        sums,
      ),
    );
    const say = voice(root);
    draw();

    function step(by) {
      const last = sentences[state.s].words.length - 1;
      update({ t: Math.min(Math.max(state.t + by, 0), last) });
    }

    function update(change) {
      Object.assign(state, change);
      say(draw());
    }

    function draw() {
      const { words, models } = sentences[state.s];
      const { t } = state;
      move.max = words.length - 1;
      move.value = t;
      move.setAttribute("aria-valuetext", words[t]);
      sentenceSelect.value = state.s;
      text.replaceChildren(
        ...words.flatMap((word, i) => [
          h("span", { class: i === t ? "hw-now" : i > t ? "hw-later" : null }, word),
          " ",
        ]),
      );
      panels.forEach((panel, k) => drawPanel(panel, words, models[k], k));
      const price = models.map((of) => priceOf(of.slice(0, t + 1)));
      const least = Math.min(...price);
      sums.replaceChildren(
        ...names.map((name, k) =>
          h(
            "tr",
            { class: price[k] === least ? "hw-lit" : null },
            h("th", { scope: "row" }, name),
            h("td", {}, show(price[k])),
          ),
        ),
      );
      const said = names.map((name, k) => `${name} ${chance(models[k][t].p, 4)}`);
      return `${words[t]}: ${said.join(", ")}`;
    }

    function drawPanel({ name, caption, body, note }, words, of, k) {
      const { p, seen, top } = of[state.t];
      const word = words[state.t];
      const back = words.slice(Math.max(0, state.t - orders[k]), state.t);
      if (state.t < orders[k]) back.unshift("(start)");
      caption.textContent = `${name}, after “${back.join(" ")}”`;
      const listed = top.some(([guess]) => guess === word) ? top : [...top, [word, p]];
      body.replaceChildren(
        ...listed.map(([guess, q]) =>
          h(
            "tr",
            { class: guess === word ? "hw-lit" : null },
            h("th", { scope: "row" }, guess),
            h("td", {}, chance(q, 4)),
            h("td", { class: "hw-bar-cell" }, h("span", { class: "hw-bar", style: `--to: ${q}` })),
          ),
        ),
      );
      const times = seen === 1 ? "once" : `${seen.toLocaleString("en")} times`;
      note.textContent = seen
        ? `Context seen ${times}. The word that came, “${word}”, gets ${chance(p, 4)}.`
        : `Context never seen: all words are equally likely. “${word}” gets ${chance(p, 5)}.`;
    }
  },
};
