// The trained translator at work in the browser: a sentence is typed, translated, and every part of
// the drawn machine opens on its numbers. The first sentence was translated when the page was made;
// the weights are loaded when the figure is first used.
// data: { example: { text, source, said, likeliest, weights }, examples: [texts], beams,
//         drawing: HTML, does: { part: sentence }, depth: { encoder, decoder } }
// attached: { model, english, french, start, end, followers }
import { attachedOf, h, labelled, select, set, show, stageOf, voice } from "../../../core/shared.js";
import { translator } from "../../../engine/transformer.js";
import { machineButtons } from "./machine.js";
import { choicesOf, isOnThePage, openStage, sideOfPlace } from "./stages.js";
import { nodeOf } from "./tables.js";
import { readWords, spell, translate } from "./translate.js";
import { wordField } from "./typing.js";

// The step that is shown at first: one at which the decoder has read some words, and not all.
function middleOf({ said }) {
  return Math.floor(said.length / 2);
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { example, examples, beams, drawing, does, depth } = model.get("data");
    const state = { text: example.text, beams: 1, step: middleOf(example), head: 0 };
    Object.assign(state, { place: "decoder cross-attention heads", block: depth.decoder - 1 });
    let result = example; // of the last text that could be translated
    let fault = ""; // what is wrong with the text since
    let machine; // a promise, from the first use on
    let asked = 0;

    const field = wordField(state.text, (text) => update({ text }), () => loaded().catch(failed));
    const note = h("p", { class: "hw-doubt" });
    const sentence = h("p", { class: "hw-sentence hw-live-translator-said" });
    const steps = h("div", { class: "hw-controls hw-live-translator-steps", role: "group", "aria-label": "Words said" });
    const exampleSelect = select(examples, 0, (i) => {
      field.write(examples[i]);
      update({ text: examples[i] });
    });
    const ways = ["greedy", `beam search, ${beams} beams`];
    const waySelect = select(ways, 0, (i) => update({ beams: i ? beams : 1 }));
    const opened = h("div", { class: "hw-live-translator-opened", role: "region", id: `${field.name}-opened` });
    const says = `${field.name}-says`;
    const parts = machineButtons(drawing, opened.id, says, (place) => update({ place }));
    const numbered = (name, count) => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);
    const headControl = labelled("Head", select(numbered("head", example.weights.length), 0, (head) => update({ head })));
    const blockSelect = select(numbered("block", Math.max(depth.encoder, depth.decoder)), state.block, (block) => update({ block }));
    const blockControl = labelled("Block", blockSelect);

    root.replaceChildren(
      field.node,
      h("div", { class: "hw-controls hw-wide" }, labelled("Example", exampleSelect), labelled("Decode", waySelect)),
      sentence,
      note,
      steps,
      parts.node,
      h("div", { class: "hw-controls hw-wide hw-live-translator-choices" }, blockControl, headControl),
      opened,
    );
    const say = voice(root);
    draw();

    function loaded() {
      machine ??= attachedOf(model).then((attached) => {
        const words = attached.english.filter((word) => !word.startsWith("<"));
        field.offer({ words, followers: attached.followers });
        return { ...attached, words, engine: translator(attached.model) };
      });
      return machine;
    }

    function failed(error) {
      note.textContent = `The model could not be loaded. ${error.message}`;
      say(note.textContent);
    }

    // The block that is looked at: the sides may have more or less of them than was chosen.
    function block() {
      return Math.min(state.block, depth[sideOfPlace(state.place)] - 1);
    }

    // What depends on the text or on the way to decode is computed anew; the sentence of the page is
    // computed once the model is needed for its numbers.
    function update(change) {
      Object.assign(state, change);
      const fresh = "text" in change || "beams" in change;
      if (!fresh && (result.seen || isOnThePage(state.place, block(), depth.decoder))) return say(draw());
      const mine = ++asked;
      loaded()
        .then((found) => {
          if (mine !== asked) return;
          if (!result.seen) result = translate(found.engine, found, example.text.split(" "), 1);
          if (fresh) compute(found);
          const open = draw();
          say(fault || (fresh ? sentence.textContent : open));
        })
        .catch(failed);
    }

    function compute({ engine, words, ...symbols }) {
      const { words: typed, unknown, unfinished } = readWords(state.text, words);
      const most = engine.config.context - 1;
      fault = "";
      if (unfinished) {
        fault = `“${unknown[0]}” is no word yet.`;
      } else if (unknown.length) {
        fault = `The model knows ${words.length} English words, and not “${unknown.join("”, “")}”.`;
      } else if (!typed.length || typed.length > most) {
        fault = `Type 1 to ${most} words.`;
      } else {
        result = translate(engine, symbols, typed, state.beams);
        state.step = middleOf(result);
      }
    }

    // Draws everything, and returns in words which numbers are open.
    function draw() {
      const { place, head, step } = state;
      sentence.textContent = `French: ${spell(result.said)}`;
      const found = (result.others ?? []).map(([text, score]) => `“${text}” (${show(score)})`);
      note.textContent = fault || (found.length ? `The beams, with ln P / length: ${found.join(", ")}.` : "");
      exampleSelect.value = examples.indexOf(state.text);
      const focused = [...steps.children].indexOf(document.activeElement);
      steps.replaceChildren(
        ...result.said.map((word, t) =>
          h("button", { type: "button", class: "hw-word-button", "aria-pressed": String(t === step), click: () => update({ step: t }) }, word),
        ),
      );
      steps.children[focused]?.focus();

      const choices = choicesOf(place);
      const blocks = depth[sideOfPlace(place)];
      headControl.hidden = !choices.includes("head");
      blockControl.hidden = !choices.includes("block") || blocks === 1;
      blockSelect.value = block();
      [...blockSelect.options].forEach((option, i) => (option.hidden = i >= blocks));
      const { says: seen, pieces } = openStage(place, result, { block: block(), head, step });
      const of = { block: `block ${block() + 1} of ${blocks}`, head: `head ${head + 1}` };
      const name = [parts.press(place), ...choices.map((choice) => of[choice])].join(", ");
      const title = name[0].toUpperCase() + name.slice(1);
      set(opened, { "aria-label": title });
      opened.replaceChildren(
        h("p", { id: says }, h("b", {}, `${title}. `), seen),
        h("p", { class: "hw-live-translator-does" }, does[place.split(" ").at(-1)]),
        ...pieces.map(nodeOf),
      );
      return `${title}. ${seen}`;
    }
  },
};
