// Votes for the next word as bars, before the mask and after it, at every stop of a slider.
// data: { words: [W], prefixes: [P], following: [P], stops: [K], slider, start,
//         before: [K][P][W], after: [K][P][W] }
import { addressed, whole } from "../../../core/address.js";
import { h, labelled, outcome, range, show, stageOf, voice } from "../../../core/shared.js";

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const data = model.get("data");
    const { words, prefixes, following, stops } = data;
    const address = addressed(model, root, { prefix: whole(prefixes.length), stop: whole(stops.length) });
    const state = { prefix: 0, stop: data.start, ...address.given };
    const group = `hw-prefix-${Math.random().toString(36).slice(2)}`;
    const widest = Math.max(...[data.before, data.after].flat(3));

    const choices = prefixes.map((text, p) =>
      h(
        "label",
        { class: "hw-choice" },
        h("input", {
          type: "radio",
          name: group,
          checked: p === state.prefix,
          input: () => update({ prefix: p }),
        }),
        `${text} …`,
      ),
    );
    const slider = range(0, stops.length - 1, 1, state.stop, (value) => update({ stop: value }));
    const stopShown = h("span", { class: "hw-value", "aria-hidden": "true" });

    // One panel of bars: a table, so that its numbers are there for everybody.
    const panel = (kind, name) => {
      const bars = words.map(() => h("div", { class: "hw-poll-bar" }));
      const numbers = words.map(() => h("td", { class: "hw-poll-number" }));
      const rows = words.map((word, w) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, word),
          h("td", { "aria-hidden": "true" }, h("div", { class: "hw-poll-track" }, bars[w])),
          numbers[w],
        ),
      );
      const verdict = h("p", { class: "hw-poll-verdict", "data-panel": kind });
      const table = h("table", {}, h("caption", {}, name), h("tbody", {}, ...rows));
      return { bars, numbers, verdict, node: h("div", { class: `hw-poll hw-poll-${kind}` }, table, verdict) };
    };
    const panels = {
      before: panel("before", "Votes before the mask"),
      after: panel("after", "Votes after the mask"),
    };

    root.replaceChildren(
      h(
        "fieldset",
        { class: "hw-controls hw-stacked" },
        h("legend", {}, "The words so far"),
        ...choices,
      ),
      h("div", { class: "hw-controls" }, labelled(data.slider, slider, stopShown)),
      h("div", { class: "hw-side-by-side" }, panels.before.node, panels.after.node),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      const { before, after } = panels;
      say(`Before: ${before.verdict.textContent} After: ${after.verdict.textContent}`);
      address.keep(state);
    }

    function draw() {
      stopShown.textContent = stops[state.stop];
      slider.setAttribute("aria-valuetext", stops[state.stop]);
      for (const kind of ["before", "after"]) {
        const votes = data[kind][state.stop][state.prefix];
        const { bars, numbers, verdict } = panels[kind];
        votes.forEach((x, w) => {
          bars[w].style.width = `${(100 * x) / widest}%`;
          numbers[w].textContent = show(x);
        });
        verdict.textContent = outcome(words, votes, following[state.prefix]);
      }
    }
  },
};
