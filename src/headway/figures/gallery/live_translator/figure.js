// The trained translator at work in the browser: a sentence is typed, translated, and every stage
// opens on its numbers. The first sentence was translated when the page was made; the weights are
// loaded when the figure is first used.
// data: { example: { text, source, said, likeliest, weights }, examples: [texts], beams }
// attached: { model, english, french, start, end, followers }
import { attachedOf, h, labelled, select, show, stageOf, voice } from "../../core/shared.js";
import { translator } from "../../engine/transformer.js";
import { openStage, stageNames } from "./stages.js";
import { readWords, spell, translate } from "./translate.js";
import { wordField } from "./typing.js";

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { example, examples, beams } = model.get("data");
    const state = { text: example.text, result: example, beams: 1, stage: 0, head: 0, step: 0 };
    let machine; // a promise, from the first use on
    let asked = 0;

    const field = wordField(state.text, (text) => update({ text }), () => loaded().catch(failed));
    const note = h("p", { class: "hw-doubt" });
    const sentence = h("p", { class: "hw-sentence hw-live-translator-said" });
    const steps = h("div", { class: "hw-controls hw-live-translator-steps", role: "group", "aria-label": "Words said" });
    const opened = h("div", { class: "hw-live-translator-opened" });
    const exampleSelect = select(examples, 0, (i) => {
      field.write(examples[i]);
      update({ text: examples[i] });
    });
    const ways = ["greedy", `beam search, ${beams} beams`];
    const waySelect = select(ways, 0, (i) => update({ beams: i ? beams : 1 }));
    const stageSelect = select(stageNames(), 0, (stage) => update({ stage }));
    const heads = example.weights.map((_, i) => `head ${i}`);
    const headControl = labelled("Head", select(heads, 0, (head) => update({ head })));

    root.replaceChildren(
      field.node,
      h("div", { class: "hw-controls hw-wide" }, labelled("Example", exampleSelect), labelled("Decode", waySelect)),
      sentence,
      note,
      steps,
      h("div", { class: "hw-controls hw-wide" }, labelled("Look at", stageSelect), headControl),
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

    // What depends on the text or on the way to decode is computed anew; a stage needs its numbers.
    function update(change) {
      Object.assign(state, change);
      const fresh = "text" in change || "beams" in change || (state.stage && !state.result.seen);
      if (!fresh) return drawAndSay(change);
      const mine = ++asked;
      loaded()
        .then((parts) => mine === asked && compute(parts, change))
        .catch(failed);
    }

    function compute({ engine, words, ...parts }, change) {
      const { words: typed, unknown, unfinished } = readWords(state.text, words);
      const most = engine.config.context - 1;
      if (unfinished) {
        note.textContent = `“${unknown[0]}” is no word yet.`;
      } else if (unknown.length) {
        note.textContent = `The model knows ${words.length} English words, and not “${unknown.join("”, “")}”.`;
      } else if (!typed.length || typed.length > most) {
        note.textContent = `Type 1 to ${most} words.`;
      } else {
        state.result = translate(engine, parts, typed, state.beams);
        if (!("stage" in change)) state.step = 0;
        return drawAndSay(change);
      }
      say(note.textContent);
    }

    function drawAndSay(change) {
      draw();
      const { said, likeliest } = state.result;
      const [best, next] = likeliest[state.step];
      if ("step" in change) {
        say(`Step ${state.step + 1} says “${said[state.step]}”. Likeliest: ${best[0]} ${show(best[1])}, ${next[0]} ${show(next[1])}.`);
      } else if ("stage" in change || "head" in change) {
        say(opened.querySelector("caption").textContent);
      } else say(sentence.textContent);
    }

    function draw() {
      const { result, stage, head, step } = state;
      sentence.textContent = `French: ${spell(result.said)}`;
      const found = (result.others ?? []).map(([text, score]) => `“${text}” (${show(score)})`);
      note.textContent = found.length ? `The beams, with ln P / length: ${found.join(", ")}.` : "";
      exampleSelect.value = examples.indexOf(state.text);
      const focused = [...steps.children].indexOf(document.activeElement);
      steps.replaceChildren(
        ...result.said.map((word, t) =>
          h("button", { type: "button", class: "hw-word-button", "aria-pressed": String(t === step), click: () => update({ step: t }) }, word),
        ),
      );
      steps.children[focused]?.focus();
      headControl.hidden = stage < 2;
      stageSelect.value = stage;
      opened.replaceChildren(...openStage(stage, result, head, Math.min(step, result.said.length - 1)));
    }
  },
};
