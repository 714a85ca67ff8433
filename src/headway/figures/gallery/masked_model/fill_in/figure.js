// A trained masked model fills blanks. The first sentence was filled in when the page was made; the
// weights are loaded when the figure is first used.
// data: { examples: [texts], filled: [[[word, probability]]] for the first text }
// attached: { model, words: [V], specials, mask }
import { attachedOf, h, labelled, outdated, select, show, stageOf, voice } from "../../../core/shared.js";
import { likeliest } from "../../../engine/search.js";
import { maskedModel } from "../../../engine/transformer.js";
import { addressed, textUpTo } from "../../../core/address.js";

const BLANK = "_";
const MOST = 400; // letters of a text

export function wordsOf(text) {
  return text.toLowerCase().match(/_|[^\s_.,!?]+/g) ?? [];
}

// The ids of typed words, and the words that are not known.
export function idsOf(typed, { words, specials, mask }) {
  const ids = typed.map((word) => (word === BLANK ? mask : words.indexOf(word, specials)));
  const unknown = typed.filter((_, t) => ids[t] < 0);
  return { ids, unknown };
}

// The five likeliest words at each blank: [[[word, probability]]]. The model may choose any symbol,
// and what it gives to special ones is not handed to others.
export function fill(typed, ids, engine, { words, specials }) {
  const { logits } = engine.fill(ids);
  return typed.flatMap((word, t) => {
    if (word !== BLANK) return [];
    const ranked = likeliest(logits[t], words.length).filter(({ id }) => id >= specials);
    return [ranked.slice(0, 5).map(({ id, probability }) => [words[id], probability])];
  });
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const numbers = root.closest(".hw-figure").querySelector(".hw-numbers"); // those of the first text
    const { examples, filled } = model.get("data");
    const state = { typed: wordsOf(examples[0]), filled, fault: "" };
    let machine; // a promise, from the first use on
    let asked = 0;
    const address = addressed(model, root, { text: textUpTo(MOST) });

    const field = h("input", {
      ...{ type: "text", value: examples[0], maxlength: MOST, autocomplete: "off", spellcheck: "false", autocapitalize: "off" },
      input: () => read(wordsOf(field.value)),
    });
    const example = select(examples, 0, (i) => {
      field.value = examples[i];
      read(wordsOf(examples[i]));
    });
    const line = h("div", { class: "hw-controls hw-fill-line", role: "group", "aria-label": "Words to hide" });
    const note = h("p", { class: "hw-doubt" });
    const tables = h("div", { class: "hw-panels" });
    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Text", field), labelled("Example", example)),
      line,
      note,
      tables,
    );
    const say = voice(root);
    draw();
    if (address.given.text) write(wordsOf(address.given.text));

    function loaded() {
      machine ??= attachedOf(model).then((attached) => ({ ...attached, engine: maskedModel(attached.model) }));
      return machine;
    }

    // Another text: what is shown belongs to the one before until it is filled in.
    function read(typed) {
      outdated([line, tables], true);
      update(typed);
    }

    function write(typed) {
      field.value = typed.join(" ");
      update(typed);
    }

    function update(typed) {
      const mine = ++asked;
      loaded()
        .then((found) => {
          if (mine !== asked) return;
          const { ids, unknown } = idsOf(typed, found);
          const most = found.engine.config.context;
          state.fault = "";
          if (unknown.length) {
            state.fault = `The model knows ${found.words.length - found.specials} words, and not “${unknown.join("”, “")}”.`;
          } else if (!typed.length || typed.length > most) {
            state.fault = `Type 1 to ${most} words, a blank as _.`;
          } else {
            Object.assign(state, { typed, filled: fill(typed, ids, found.engine, found) });
          }
          draw();
          say(state.fault || told());
          address.keep({ text: typed.join(" ") });
        })
        .catch((error) => {
          note.textContent = `The model could not be loaded. ${error.message}`;
          note.classList.add("hw-fault");
          outdated([line, tables], true);
          say(note.textContent);
        });
    }

    function told() {
      if (!state.filled.length) return "No word is hidden.";
      return state.filled.map(([[word, p]], i) => `Blank ${i + 1}: ${word}, ${show(p)}`).join(". ");
    }

    // A word is hidden, and a blank takes the likeliest word.
    function press(t) {
      const blank = state.typed.slice(0, t).filter((word) => word === BLANK).length;
      write(state.typed.with(t, state.typed[t] === BLANK ? state.filled[blank][0][0] : BLANK));
    }

    function draw() {
      const focused = [...line.children].indexOf(document.activeElement);
      example.value = examples.indexOf(field.value);
      note.textContent = state.fault;
      note.classList.toggle("hw-fault", Boolean(state.fault));
      outdated([line, tables], Boolean(state.fault));
      numbers.hidden = Boolean(state.fault) || state.typed.join() !== wordsOf(examples[0]).join();
      line.replaceChildren(
        ...state.typed.map((word, t) => {
          const hidden = word === BLANK;
          const name = hidden ? `word ${t + 1}, hidden` : word;
          return h(
            "button",
            { type: "button", class: "hw-word-button", "aria-pressed": String(hidden), "aria-label": name, click: () => press(t) },
            hidden ? "[MASK]" : word,
          );
        }),
      );
      line.children[focused]?.focus();
      const places = state.typed.flatMap((word, t) => (word === BLANK ? [t] : []));
      tables.replaceChildren(
        ...state.filled.map((five, i) =>
          h(
            "table",
            { class: "hw-grid hw-panel hw-fill-in" },
            h("caption", {}, `Word ${places[i] + 1}`),
            h("thead", {}, h("tr", {}, ...["word", "probability", "bar"].map((name) => h("th", { scope: "col" }, name)))),
            h(
              "tbody",
              {},
              ...five.map(([word, p]) => {
                const bar = h("div", { class: "hw-meter" });
                bar.style.width = `${100 * p}%`;
                return h(
                  "tr",
                  {},
                  h("th", { scope: "row" }, word),
                  h("td", {}, show(p, 3)),
                  h("td", { "aria-hidden": "true" }, h("div", { class: "hw-meter-track" }, bar)),
                );
              }),
            ),
          ),
        ),
      );
    }
  },
};
