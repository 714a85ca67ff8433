// The machine and the numbers of one of its parts, beside each other. What is opened scrolls in a
// panel of its own, so that nothing else moves.
import { h, labelled, select, set } from "../../../core/shared.js";
import { machineButtons } from "./machine.js";
import { choicesOf, isOnThePage, openStage, sideOfPlace } from "./stages.js";
import { nodeOf } from "./tables.js";

// data: as in figure.js; name: the beginning of its ids; onChange() is called when another part, block
// or head is chosen, onStep(t) for another word, onBeams(count) for another way to decode.
// → { node, isReady(result), show(result, step) }
export function machineRoom({ drawing, does, depth, example, beams }, name, { onChange, onStep, onBeams }) {
  const state = { place: "decoder cross-attention heads", block: depth.decoder - 1, head: 0, look: -1 };
  const says = `${name}-says`;
  const opened = h("div", { class: "hw-live-translator-opened", role: "region", tabindex: 0, id: `${name}-opened` });
  const parts = machineButtons(drawing, opened.id, says, (place) => choose({ place }));
  const steps = h("div", { class: "hw-controls hw-workshop-steps", role: "group", "aria-label": "Words said" });
  const numbered = (what, count) => Array.from({ length: count }, (_, i) => `${what} ${i + 1}`);
  const heads = numbered("head", example.weights.length);
  const blocks = select(numbered("block", Math.max(depth.encoder, depth.decoder)), state.block, (block) => choose({ block }));
  const controls = {
    block: labelled("Block", blocks),
    head: labelled("Head", select(heads, 0, (head) => choose({ head }))),
    look: labelled("Weights", select(["mean of the heads", ...heads], 0, (i) => choose({ look: i - 1 }))),
  };
  const decode = labelled("Decode", select(["greedy", `beam search, ${beams} beams`], 0, (i) => onBeams(i ? beams : 1)));
  const panel = h("div", { class: "hw-workshop-panel" }, steps, h("div", { class: "hw-controls hw-wide hw-workshop-controls" }, ...Object.values(controls), decode), opened);
  const node = h("details", { class: "hw-workshop" }, h("summary", {}, "Open the machine"), h("div", { class: "hw-workshop-inside" }, h("div", { class: "hw-workshop-between" }, parts.node, panel)));

  function choose(change) {
    Object.assign(state, change);
    opened.scrollTop = 0;
    onChange();
  }

  // The block that is looked at: the sides may have more or less of them than was chosen.
  function block() {
    return Math.min(state.block, depth[sideOfPlace(state.place)] - 1);
  }

  function showSteps(said, step) {
    const focused = [...steps.children].indexOf(document.activeElement);
    const button = (word, t) => h("button", { type: "button", class: "hw-word-button", "aria-pressed": String(t === step), click: () => onStep(t) }, word);
    steps.replaceChildren(...said.map(button));
    steps.children[focused]?.focus();
  }

  return {
    node,
    // Whether a result has the numbers of what is open.
    isReady: (result) => Boolean(result.seen) || isOnThePage(state.place, block(), depth.decoder),
    show(result, step) {
      const { place, head, look } = state;
      showSteps(result.said, step);
      const choices = choicesOf(place);
      const count = depth[sideOfPlace(place)];
      for (const [what, control] of Object.entries(controls)) control.hidden = !choices.includes(what) || (what === "block" && count === 1);
      blocks.value = block();
      [...blocks.options].forEach((option, i) => (option.hidden = i >= count));
      const { says: seen, pieces } = openStage(place, result, { block: block(), head, look, step });
      const of = { block: `block ${block() + 1} of ${count}`, head: `head ${head + 1}`, look: look < 0 ? "mean of the heads" : `head ${look + 1}` };
      const called = [parts.press(place), ...choices.map((choice) => of[choice])].join(", ");
      const title = called[0].toUpperCase() + called.slice(1);
      set(opened, { "aria-label": title });
      opened.replaceChildren(
        h("p", { id: says, "aria-live": "polite" }, h("b", {}, `${title}. `), seen),
        h("p", { class: "hw-live-translator-does" }, does[place.split(" ").at(-1)]),
        ...pieces.map(nodeOf),
      );
    },
  };
}
