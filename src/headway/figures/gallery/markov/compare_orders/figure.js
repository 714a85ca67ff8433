// A sentence read word by word: what models with a shorter and a longer memory expect next.
// data: { orders: [K], names: [K], start: [s, t], sentences: [{ words: [T+1],
//         models: [K][T+1]{ p, seen, top: [[word, p]] } }] }
import { addressed, whole } from "../../../core/address.js";
import { walk } from "../../../core/grid.js";
import { h, labelled, select, show, stageOf, voice } from "../../../core/shared.js";

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
    const longest = Math.max(...sentences.map(({ words }) => words.length));
    const address = addressed(model, root, { s: whole(sentences.length), t: whole(longest) });
    const state = { s: start[0], t: start[1], ...address.given };
    state.t = Math.min(state.t, sentences[state.s].words.length - 1);

    const titles = sentences.map(({ words }) => words.slice(0, -1).join(" "));
    const sentenceSelect = select(titles, state.s, (s) => update({ s, t: 0 }));
    const press = (name, by) =>
      h("button", { type: "button", class: "hw-word-button", click: () => step(by) }, name);
    const text = h("div", { class: "hw-reading", role: "group", "aria-label": "Words of the sentence" });
    let words = []; // as buttons
    const stand = walk(text, () => [words], (_, t) => update({ t }));
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
      address.keep(state);
    }

    function draw() {
      const { words: read, models } = sentences[state.s];
      const { t } = state;
      const inText = text.contains(document.activeElement);
      sentenceSelect.value = state.s;
      words = read.map((word, i) =>
        h("button", { type: "button", class: `hw-word-button${i > t ? " hw-later" : ""}`, "aria-pressed": String(i === t), click: () => update({ t: i }) }, word),
      );
      text.replaceChildren(...words);
      stand(0, t);
      if (inText) words[t].focus();
      panels.forEach((panel, k) => drawPanel(panel, read, models[k], k));
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
      return `${read[t]}: ${said.join(", ")}`;
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
