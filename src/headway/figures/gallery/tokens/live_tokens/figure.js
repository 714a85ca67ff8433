// The tokens of a typed sentence, by the tokenizer itself, at a chosen size of the vocabulary.
// data: { pairs: [left, right, …] ids of the merges, sizes, start: place in sizes, examples }
import { addressed, textUpTo, whole } from "../../../core/address.js";
import { h, labelled, range, select, show, stageOf, voice } from "../../../core/shared.js";
import { encode, shown, tokenizer } from "../../../engine/tokens.js";

const MOST = 2000; // letters of a text; more make no better picture

// What a text becomes at each size: { size, ids, bytes }.
export function atEachSize(text, sizes, made) {
  const bytes = new TextEncoder().encode(text).length;
  return sizes.map((size, i) => ({ size, ids: encode(text, made[i]), bytes }));
}

// The id of a token as chapter 5 counts: a byte's is its value, and merges go on from 256. (GPT-2's
// files, and `engine/tokens.js`, number the bytes in another order.)
export function idOf(id, symbols) {
  return symbols[id].length === 1 ? symbols[id][0] : id;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { pairs, sizes, start, examples } = model.get("data");
    const made = sizes.map((size) => tokenizer(pairs, size));
    const address = addressed(model, root, { text: textUpTo(MOST), at: whole(sizes.length) });
    const state = { text: examples[0], at: start, ...address.given };

    const field = h("input", {
      ...{ type: "text", value: state.text, maxlength: MOST, autocomplete: "off", spellcheck: "false", autocapitalize: "off" },
      input: () => update({ text: field.value }),
    });
    const example = select(examples, 0, (i) => {
      field.value = examples[i];
      update({ text: examples[i] });
    });
    const size = range(0, sizes.length - 1, 1, state.at, (at) => update({ at }));
    const sizeShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const count = h("p", { class: "hw-sentence" });
    const tokens = h("ol", { class: "hw-tokens" });
    const rows = sizes.map((each) => {
      const cells = [h("td", {}), h("td", {})];
      return { row: h("tr", {}, h("th", { scope: "row" }, each.toLocaleString("en-US")), ...cells), cells };
    });
    const head = ["vocabulary", "tokens", "bytes a token"].map((name) => h("th", { scope: "col" }, name));

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Text", field), labelled("Example", example)),
      h("div", { class: "hw-controls" }, labelled("Size of the vocabulary", size, sizeShown)),
      count,
      tokens,
      h(
        "table",
        { class: "hw-grid hw-live-tokens-sizes" },
        h("caption", {}, "The same text at each size"),
        h("thead", {}, h("tr", {}, ...head)),
        h("tbody", {}, ...rows.map(({ row }) => row)),
      ),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(count.textContent);
      address.keep(state);
    }

    function draw() {
      const all = atEachSize(state.text, sizes, made);
      const { ids, bytes } = all[state.at];
      const letters = [...state.text].length;
      const written = sizes[state.at].toLocaleString("en-US");
      sizeShown.textContent = written;
      size.setAttribute("aria-valuetext", `${written} symbols`);
      count.textContent = `${letters} characters, ${bytes} bytes: ${ids.length} tokens of a vocabulary of ${written}.`;
      const { symbols } = made[state.at];
      const token = (id) =>
        h("li", {}, h("span", {}, shown(symbols[id])), h("small", {}, idOf(id, symbols)));
      tokens.replaceChildren(...ids.map(token));
      all.forEach(({ ids: each, bytes: all_bytes }, i) => {
        rows[i].row.classList.toggle("hw-lit", i === state.at);
        rows[i].cells[0].textContent = each.length;
        rows[i].cells[1].textContent = each.length ? show(all_bytes / each.length) : "–";
      });
    }
  },
};
