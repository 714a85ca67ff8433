// What each feature votes for, with a switch for each. The rows that are present and switched on
// are summed.
// data: { features: [F], words: [W], votes: [F][W], prefixes: [P], following: [P],
//         present: [P][F], mask: [F] }
import { h, outcome, show, stageOf, voice } from "../../core/shared.js";

// The votes [F][W] of the features that vote, summed for each word.
export function sumsOf(votes, voting) {
  return votes[0].map((_, w) => votes.reduce((sum, row, f) => sum + (voting[f] ? row[w] : 0), 0));
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { features, words, votes, prefixes, following, present, mask } = model.get("data");
    const state = { prefix: 0, on: features.map(() => true) };
    const group = `hw-prefix-${Math.random().toString(36).slice(2)}`;

    const choices = prefixes.map((text, p) =>
      h(
        "label",
        { class: "hw-choice" },
        h("input", {
          type: "radio",
          name: group,
          checked: p === 0,
          input: () => update(() => (state.prefix = p)),
        }),
        `${text} …`,
      ),
    );
    const preset = (name, on) =>
      h(
        "button",
        { type: "button", class: "hw-word-button", click: () => update(() => (state.on = [...on])) },
        name,
      );
    const switches = features.map((name, f) =>
      h("input", {
        type: "checkbox",
        checked: true,
        "aria-label": `${name} may vote`,
        input: (event) => update(() => (state.on[f] = event.target.checked)),
      }),
    );
    const presentCells = features.map(() => h("td", {}));
    const rows = features.map((name, f) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, h("label", { class: "hw-choice" }, switches[f], name)),
        presentCells[f],
        ...votes[f].map((x) => h("td", {}, show(x))),
      ),
    );
    const sums = words.map(() => h("td", {}));
    const verdict = h("p", { class: "hw-vector hw-verdict-line" });

    root.replaceChildren(
      h(
        "fieldset",
        { class: "hw-controls hw-stacked" },
        h("legend", {}, "The words so far"),
        ...choices,
      ),
      h(
        "div",
        { class: "hw-controls" },
        preset("Switch all on", features.map(() => true)),
        preset("Only those that inform", mask),
        preset("Switch all off", features.map(() => false)),
      ),
      h(
        "div",
        { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": "Votes and their sums" },
        h(
          "table",
          { class: "hw-grid" },
          h("caption", {}, "Ticked features may vote. Those that are also present do: lit rows are summed."),
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ...["feature", "present", ...words].map((name) => h("th", { scope: "col" }, name)),
            ),
          ),
          h("tbody", {}, ...rows),
          h(
            "tfoot",
            {},
            h("tr", {}, h("th", { scope: "row", colspan: 2 }, "sum of the votes"), ...sums),
          ),
        ),
      ),
      verdict,
    );
    const say = voice(root);
    draw();

    function update(change) {
      change();
      const out = draw();
      say(`${words.map((word, w) => `${word} ${show(out[w])}`).join(", ")}. ${verdict.textContent}`);
    }

    function draw() {
      const here = present[state.prefix];
      const voting = features.map((_, f) => here[f] && state.on[f]);
      features.forEach((_, f) => {
        switches[f].checked = state.on[f];
        presentCells[f].textContent = here[f] ? "1" : "0";
        rows[f].classList.toggle("hw-lit", voting[f]);
      });
      const out = sumsOf(votes, voting);
      out.forEach((x, w) => (sums[w].textContent = show(x)));
      verdict.textContent = outcome(words, out, following[state.prefix]);
      return out;
    }
  },
};
