// The machine from ids to logits: press a stage to see its shape, for lengths and sizes of choice.
// data: { stages: [{ side, name, code, shape: [letter or number], note }], at,
//         models: [{ name, sizes: { letter: number } }], lengths: { S, T, B }, most }
import { addressed, whole } from "../../../core/address.js";
import { walk } from "../../../core/grid.js";
import { h, labelled, range, select, stageOf, voice } from "../../../core/shared.js";

// A shape with the letters' sizes in their places.
export function inNumbers(shape, sizes) {
  return shape.map((letter) => sizes[letter] ?? letter);
}

// How many numbers a tensor of this shape holds.
export function countOf(numbers) {
  return numbers.reduce((product, n) => product * n, 1);
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { stages, at, models, lengths, most } = model.get("data");
    const address = addressed(model, root, {
      ...{ at: whole(stages.length), model: whole(models.length) },
      ...Object.fromEntries(Object.keys(lengths).map((letter) => [letter, whole(most[letter], 1)])),
    });
    const state = { at, model: 0, ...lengths, ...address.given };

    const modelSelect = select(models.map(({ name }) => name), 0, (i) => update({ model: i }));
    const shown = {};
    const length = (letter, name) => {
      shown[letter] = h("span", { class: "hw-value", "aria-hidden": "true" });
      const control = range(1, most[letter], 1, state[letter], (value) => update({ [letter]: value }));
      return labelled(name, control, shown[letter]);
    };
    const buttons = stages.map(({ name }, i) =>
      h("button", { type: "button", class: "hw-word-button hw-tracker-stage", click: () => update({ at: i }) }, name),
    );
    const tracker = h("div", { class: "hw-tracker" });
    const stand = walk(tracker, () => buttons.map((button) => [button]), (i) => update({ at: i }));
    const column = (side, title) =>
      h(
        "div",
        { class: "hw-tracker-side", role: "group", "aria-label": title },
        h("p", { class: "hw-tracker-name" }, title),
        ...buttons.filter((_, i) => stages[i].side === side),
      );
    const name = h("p", { class: "hw-sentence" });
    const value = Object.fromEntries(
      ["shape", "in numbers", "numbers in all", "line of code"].map((term) => [term, h("dd", { "data-reading": term })]),
    );
    const note = h("p", { class: "hw-doubt" });
    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Model", modelSelect)),
      h("div", { class: "hw-controls" }, length("B", "Sentences B"), length("S", "Source tokens S"), length("T", "Target tokens T")),
      tracker,
    );
    tracker.append(
      column("encoder", "Encoder"),
      column("decoder", "Decoder"),
      h(
        "div",
        { class: "hw-tracker-side hw-tracker-detail" },
        name,
        h("dl", { class: "hw-readings" }, ...Object.entries(value).flatMap(([term, dd]) => [h("dt", {}, term), dd])),
        note,
      ),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(`${stages[state.at].name}: ${value["in numbers"].textContent}`);
      address.keep(state);
    }

    function draw() {
      const { shape, code, note: more, name: title } = stages[state.at];
      const sizes = { ...models[state.model].sizes, B: state.B, S: state.S, T: state.T };
      const numbers = inNumbers(shape, sizes);
      const commas = (n) => n.toLocaleString("en-US");
      modelSelect.value = state.model;
      for (const [letter, span] of Object.entries(shown)) span.textContent = state[letter];
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", i === state.at));
      stand(state.at, 0);
      name.textContent = title;
      value.shape.textContent = `(${shape.join(", ")})`;
      value["in numbers"].textContent = `(${numbers.map(commas).join(", ")})`;
      value["numbers in all"].textContent = commas(countOf(numbers));
      value["line of code"].replaceChildren(h("code", {}, code));
      note.textContent = more;
    }
  },
};
