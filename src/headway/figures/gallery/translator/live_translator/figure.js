// The trained translator at work in the browser: a sentence is typed, and its translation comes word by
// word, with threads to the words that the decoder looked at. In a fold, every part of the drawn
// machine opens on its numbers. The first sentence was translated when the page was made; the weights
// are loaded at the first change.
// data: { example: { text, source, said, likeliest, weights }, examples: [texts], beams,
//         drawing: HTML, does: { part: sentence }, depth: { encoder, decoder } }
// attached: { model, english, french, start, end, followers }
import { addressed, textUpTo } from "../../../core/address.js";
import { attachedOf, h, outdated, show, stageOf } from "../../../core/shared.js";
import { translator } from "../../../engine/transformer.js";
import { across } from "./looking.js";
import { player } from "./playing.js";
import { machineRoom } from "./room.js";
import { threadPictures } from "./threads.js";
import { readWords, translate } from "./translate.js";
import { wordField } from "./typing.js";

const MOST = 12; // words of a sentence
const LONGEST = 200; // letters of one that an address may bring along

// Where a word looked, the largest weights first: “quiet” (69 %) and “.” (31 %).
function places(source, row) {
  const order = row.map((weight, s) => [weight, source[s]]).filter(([weight]) => weight >= 0.05);
  order.sort(([a], [b]) => b - a);
  const told = order.map(([weight, word]) => `${word === "<end>" ? "the end" : `“${word}”`} (${show(100 * weight, 0)} %)`);
  return told.length > 1 ? `${told.slice(0, -1).join(", ")} and ${told.at(-1)}` : told[0];
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const data = model.get("data");
    const { example, examples, depth } = data;
    const [node, numbers] = [".hw-threads", ".hw-numbers"].map((part) => root.closest(".hw-figure").querySelector(part));
    const state = { text: example.text, beams: 1, step: null, pointed: null };
    let result = example; // of the last text that could be translated
    let told; // it, with the weights that the threads show
    let fault = ""; // what is wrong with the text since
    let machine; // a promise, from the first use on
    let asked = 0;

    const field = wordField(state.text, (text) => change({ text }), () => loaded().catch(failed));
    const note = h("p", { class: "hw-threads-note", role: "status", "data-idle": "Choose a French word to see where the translator looked while it wrote it." });
    const chip = (text) => h("button", { type: "button", class: "hw-threads-chip", click: () => (field.write(text), change({ text }, true)) }, text);
    const chips = examples.map(chip);
    const playing = player(node);
    const pictures = threadPictures(node, { says: named, onPoint: point, onPress: press });
    const room = machineRoom(data, field.name, { onChange: look, onStep: (step) => look({ step }), onBeams: (beams) => change({ beams }) });
    root.replaceChildren(
      note,
      h("div", { class: "hw-threads-controls" }, playing.button, h("div", { class: "hw-threads-chips", role: "group", "aria-label": "Sentences" }, ...chips), field.node),
      room.node,
    );
    const address = addressed(model, root, { text: textUpTo(LONGEST) });
    take(example);
    draw();
    if (address.given.text) {
      field.write(address.given.text);
      change(address.given);
    }

    function loaded() {
      machine ??= attachedOf(model).then((attached) => {
        const words = attached.english.filter((word) => !word.startsWith("<"));
        field.offer({ words, followers: attached.followers });
        return { ...attached, words, engine: translator(attached.model) };
      });
      return machine;
    }

    function failed(error) {
      fault = `The model could not be loaded. ${error.message}`;
      draw();
    }

    function named(t) {
      const what = told.said[t] === "<end>" ? "To stop" : `For “${told.said[t]}”`;
      return `${what}, it looked at ${places(told.source, told.weights[t])}.`;
    }

    function point(pointed) {
      state.pointed = pointed;
      light();
    }

    function press(t) {
      playing.end();
      look({ step: t === state.step ? null : t });
    }

    // Another text, or another way to decode: the translation is computed anew, and perhaps played.
    function change(changed, plays = false) {
      Object.assign(state, changed);
      outdated([node, room.node], true);
      if (!plays) playing.end(); // what is out of date doesn't go on writing
      compute(({ engine, words, ...symbols }) => {
        fault = faultIn(readWords(state.text, words), words.length);
        if (fault) return;
        take(translate(engine, symbols, readWords(state.text, words).words, state.beams));
        address.keep(state);
        if (plays) playing.play();
      });
    }

    // Another look at the same translation; that of the page is computed once its numbers are needed.
    function look(changed) {
      Object.assign(state, changed);
      if (room.isReady(result)) return draw();
      compute(({ engine, words, ...symbols }) => {
        result = translate(engine, symbols, example.text.split(" "), 1);
      });
    }

    function compute(how) {
      const mine = ++asked;
      loaded().then((found) => {
        if (mine !== asked) return;
        how(found);
        draw();
      }).catch(failed);
    }

    function faultIn({ words: typed, unknown, unfinished }, count) {
      if (unfinished) return `“${unknown[0]}” is no word yet.`;
      if (unknown.length) return `The model knows ${count} English words, but not “${unknown.join("”, “")}”.`;
      return typed.length && typed.length <= MOST ? "" : `Type 1 to ${MOST} words.`;
    }

    function take(made) {
      result = made;
      const heads = across(result, depth.decoder - 1);
      const mean = (t, s) => heads.reduce((sum, head) => sum + head[t][s], 0) / heads.length;
      told = { ...result, weights: result.said.map((_, t) => result.source.map((_, s) => mean(t, s))) };
      Object.assign(state, { step: null, pointed: null });
      pictures.show(told);
    }

    // The threads of the word that is pointed at, or else of the one that is chosen, and what they say.
    function light() {
      const lit = state.pointed ?? state.step;
      note.textContent = fault || (lit === null ? "" : named(lit));
      pictures.light(lit, state.step);
    }

    function draw() {
      light();
      outdated([node, room.node], Boolean(fault));
      if (playing.button) playing.button.disabled = Boolean(fault);
      numbers.hidden = state.text !== example.text; // they are those of the first sentence
      note.classList.toggle("hw-fault", Boolean(fault));
      chips.forEach((one, i) => one.setAttribute("aria-pressed", String(examples[i] === state.text)));
      // Where no word is chosen, one at which the decoder has read some words, and not all.
      room.show(result, state.step ?? Math.floor(result.said.length / 2));
    }
  },
};
