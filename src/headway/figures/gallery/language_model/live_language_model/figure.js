// A trained language model at work in the browser: a prompt is typed, and the model says what may come
// next at each of its places, draws from it, and shows where each head looks. The first prompt was
// read when the page was made; the weights are loaded when the figure is first used.
// data: { example: { text, view }, examples: [texts], start: { place, block, head }, layers, heads,
//         symbols: { id: text } of the ids in the view, size, context }
// attached: { model, pairs or letters, end }
import { attachedOf, chance, h, labelled, outdated, range, select, set, show, stageOf, voice } from "../../../core/shared.js";
import { filterSliders } from "../../../core/filters.js";
import { byLikelihood, draw, filtered, generator } from "../../../engine/sampling.js";
import { encode, letters, shown, tokenizer } from "../../../engine/tokens.js";
import { languageModel } from "../../../engine/transformer.js";
import { read, viewOf } from "./reading.js";
import { bars, pattern } from "./tables.js";
import { addressed, textUpTo, whole } from "../../../core/address.js";

const ROWS = 10; // of the tokens that may come next
const SEVERAL = 10; // tokens that one button draws

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const numbers = root.closest(".hw-figure").querySelector(".hw-numbers"); // those of the first text
    const { example, examples, start, layers, heads, symbols, size, context } = model.get("data");
    const address = addressed(model, root, {
      ...{ text: textUpTo(500), place: whole(context), block: whole(layers), head: whole(heads) },
    });
    const { given } = address;
    const state = { text: example.text, drawn: [], ...start, ...given, seed: 0 };
    state.filters = { temperature: 1, topK: null, topP: 1 };
    let view = example.view;
    let steps; // what the model has read, once it is loaded
    let dice = generator(state.seed);
    let fault = "";
    let machine; // a promise, from the first use on
    let name = (id) => symbols[id];
    let asked = 0;

    const field = h("input", {
      ...{ type: "text", value: state.text, autocomplete: "off", spellcheck: "false", autocapitalize: "off" },
      input: () => write(field.value),
      focus: () => loaded().catch(failed),
    });
    const exampleSelect = select(examples, 0, (i) => {
      field.value = examples[i];
      write(examples[i]);
    });
    const tokens = h("ol", { class: "hw-tokens hw-tokens-read" });
    const note = h("p", { class: "hw-doubt" });
    const button = (label, click) => h("button", { type: "button", class: "hw-word-button", click }, label);
    const place = range(0, state.place, 1, state.place, (at) => update({ place: at }));
    const placeShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const sliders = filterSliders((filters) => update({ filters }));
    const sentence = h("p", { class: "hw-sentence" });
    const next = h("div", { class: "hw-panel" });
    const looked = h("p", { class: "hw-sentence" });
    const looks = h("div", {});
    const numbered = (word, count) => Array.from({ length: count }, (_, i) => `${word} ${i + 1}`);
    const choices = h(
      "div",
      { class: "hw-controls" },
      labelled("Block", select(numbered("block", layers), state.block, (block) => update({ block }))),
      labelled("Head", select(numbered("head", heads), state.head, (head) => update({ head }))),
    );

    const panels = h("div", { class: "hw-panels" }, next, h("div", { class: "hw-panel" }, choices, looked, looks));

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Prompt", field), labelled("Example", exampleSelect)),
      h(
        "div",
        { class: "hw-controls" },
        button("Draw a token", () => extend(1, drawn)),
        button(`Draw ${SEVERAL}`, () => extend(SEVERAL, drawn)),
        button("Take the likeliest", () => extend(1, (logits) => byLikelihood(logits)[0])),
        button("Back to the prompt", again),
      ),
      tokens,
      note,
      h("div", { class: "hw-controls" }, labelled("Look at token", place, placeShown), ...sliders),
      sentence,
      panels,
    );
    const say = voice(root);
    if (Object.keys(given).length) update({});
    else refresh();

    function loaded() {
      machine ??= attachedOf(model).then((attached) => {
        const made = attached.letters
          ? letters(attached.letters)
          : tokenizer(attached.pairs, attached.end);
        name = (id) => (id === attached.end ? "<end>" : shown(made.symbols[id]));
        return { ...attached, made, engine: languageModel(attached.model) };
      });
      return machine;
    }

    function failed(error) {
      note.textContent = `The model could not be loaded. ${error.message}`;
      note.classList.add("hw-fault");
      say(note.textContent);
    }

    function drawn(logits) {
      return draw(filtered(logits, state.filters), dice());
    }

    // A new prompt; what was drawn is dropped, and what is shown belongs to the one before.
    function write(text) {
      outdated([tokens, sentence, panels], true);
      update({ text, drawn: [], place: Infinity });
    }

    function again() {
      dice = generator(++state.seed); // other draws than before
      update({ drawn: [], place: Infinity });
    }

    // Appends tokens, each chosen from the logits after all before it, until the context is full.
    function extend(count, choose) {
      withModel(({ engine, end }) => {
        for (let i = 0; i < count && steps.length < context && state.drawn.at(-1) !== end; i++) {
          state.drawn.push(choose(steps.at(-1).logits));
          steps = read(engine, [...steps.map(({ id }) => id), state.drawn.at(-1)], steps);
        }
        state.place = Infinity;
      });
    }

    function update(change) {
      Object.assign(state, change);
      withModel(() => {});
    }

    // Once the model is there: reads the text anew as far as it has changed, changes it, and shows it.
    function withModel(change) {
      const mine = ++asked;
      loaded()
        .then((found) => {
          const ids = [found.end, ...encode(state.text, found.made), ...state.drawn];
          fault = ids.length > context ? `The model reads ${context} tokens, and these are ${ids.length}: below are the first ${context}.` : "";
          steps = read(found.engine, ids.slice(0, context), steps);
          change(found);
          if (mine === asked) {
            refresh();
            say(fault || `${sentence.textContent} ${looked.textContent}`);
            address.keep(state);
          }
        })
        .catch(failed);
    }

    function refresh() {
      if (steps) {
        state.place = Math.min(state.place, steps.length - 1);
        view = viewOf(steps, state, ROWS);
      }
      const { ids, losses } = view;
      const here = name(ids[state.place]);
      const given = ids.length - state.drawn.length;
      outdated([tokens, sentence, panels], false);
      numbers.hidden = state.text !== example.text;
      note.classList.toggle("hw-fault", Boolean(fault));
      exampleSelect.value = examples.indexOf(state.text);
      place.max = ids.length - 1;
      place.value = state.place;
      placeShown.textContent = state.place + 1;
      set(place, { "aria-valuetext": `token ${state.place + 1}, ${here}` });
      tokens.replaceChildren(
        ...ids.map((id, t) =>
          h(
            "li",
            {
              class: `${t === state.place ? "hw-token-here" : ""} ${t < given ? "" : "hw-token-drawn"}`,
              style: `--loss: ${Math.min((losses[t] ?? 0) / Math.log(size), 1)}`,
              click: () => update({ place: t }),
            },
            h("span", {}, name(id)),
            h("small", {}, t ? show(losses[t], 1) : "–"),
          ),
        ),
      );
      const known = losses.slice(1);
      const mean = known.reduce((sum, x) => sum + x, 0) / known.length;
      const full = ids.length === context ? " The context is full." : "";
      note.textContent = fault || `Below each token its loss in nats: ${known.length ? `${show(mean)} on average` : "none yet"}; a uniform guess has ${show(Math.log(size))}.${full}`;
      const { rows, kept, mass } = view.next;
      const best = rows[0];
      sentence.textContent =
        `After “${here}” the likeliest of ${size} tokens is “${name(best.id)}” (${chance(best.p)}); ` +
        (kept === size ? "all may be drawn." : `${kept} may be drawn, with ${chance(mass)} of the probability.`);
      next.replaceChildren(bars("What may come next", rows.map(({ id, p, q }) => [name(id), p, q])));
      const line = view.weights[state.place];
      const most = line.indexOf(Math.max(...line));
      looked.textContent = `Head ${state.head + 1} of block ${state.block + 1}: “${here}” looks most at token ${most + 1}, “${name(ids[most])}” (${show(line[most])}).`;
      looks.replaceChildren(pattern(view.weights, ids.map(name), state.place));
    }
  },
};
