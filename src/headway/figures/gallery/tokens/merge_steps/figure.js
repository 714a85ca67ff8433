// Byte pair encoding learns from a short text, one merge a step, by either rule for ties.
// data: { texts, ties, rules: [[rule, name]], longest: bytes, most: merges }
import { addressed, textUpTo, whole } from "../../../core/address.js";
import { h, labelled, select, stageOf, voice } from "../../../core/shared.js";
import { learn, shown } from "../../../engine/tokens.js";

// How the next merge is chosen, in words.
export function reason(pairs, symbols) {
  if (!pairs.length) return "No two tokens are neighbors: nothing is left to merge.";
  const [{ left, right, count }] = pairs;
  if (count < 2) return "No pair occurs twice: a merge would save nothing, and training ends.";
  const equal = pairs.filter((pair) => pair.count === count).length - 1;
  const name = `${shown(symbols[left])} + ${shown(symbols[right])}`;
  const tie = equal ? `, as ${equal === 1 ? "one other does" : `${equal} others do`}: the rule decides` : "";
  return `Next: ${name}, which occurs ${count} times${tie}.`;
}

// As much of a text as has so many bytes.
export function cut(text, longest) {
  let kept = "";
  for (const letter of text) {
    if (new TextEncoder().encode(kept + letter).length > longest) break;
    kept += letter;
  }
  return kept;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { texts, ties, rules, longest, most } = model.get("data");
    const address = addressed(model, root, { text: textUpTo(longest), rule: whole(rules.length), step: whole(most + 1) });
    const { text = texts[0], rule: by = rules.findIndex(([name]) => name === ties), step = 0 } = address.given;
    const state = { text: cut(text, longest), ties: rules[by][0], step };
    Object.assign(state, learn(state.text, state.ties, most));
    state.step = Math.min(step, state.steps.length - 1);

    const press = (name, click) => h("button", { type: "button", class: "hw-word-button", click }, name);
    const field = h("input", {
      ...{ type: "text", value: state.text, autocomplete: "off", spellcheck: "false", autocapitalize: "off" },
      input: () => anew({ text: cut(field.value, longest) }),
    });
    const example = select(texts, 0, (i) => {
      field.value = texts[i];
      anew({ text: texts[i] });
    });
    const rule = select(rules.map(([, name]) => name), by, (i) =>
      anew({ ties: rules[i][0] }),
    );
    const forward = press("Merge", () => go(1));
    const back = press("Back", () => go(-1));
    const words = h("div", { class: "hw-merge-steps-words" });
    const count = h("p", { class: "hw-sentence" });
    const why = h("p", { class: "hw-drawn" });
    const pairs = h("tbody", {});
    const merges = h("p", { class: "hw-drawn" });
    const head = ["pair", "times", ""].map((name) => (name ? h("th", { scope: "col" }, name) : h("td", {})));

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Text", field), labelled("Example", example)),
      h("div", { class: "hw-controls hw-wide" }, labelled("Of equal pairs, merge", rule)),
      h("div", { class: "hw-controls" }, forward, back),
      count,
      words,
      why,
      merges,
      h(
        "div",
        { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": "Pairs and how often they occur" },
        h(
          "table",
          { class: "hw-grid hw-merge-steps-pairs" },
          h("caption", {}, "The most frequent pairs, at most eight"),
          h("thead", {}, h("tr", {}, ...head)),
          pairs,
        ),
      ),
    );
    const say = voice(root);
    draw();

    function anew(change) {
      Object.assign(state, change, { step: 0 });
      Object.assign(state, learn(state.text, state.ties, most));
      tell();
    }

    function go(by) {
      state.step = Math.min(Math.max(state.step + by, 0), state.steps.length - 1);
      tell();
    }

    function tell() {
      draw();
      say(`${count.textContent} ${why.textContent}`);
      address.keep({ ...state, rule: rules.findIndex(([name]) => name === state.ties) });
    }

    function draw() {
      const { symbols, steps, step } = state;
      const now = steps[step];
      const token = (id) => h("li", { class: id === now.made ? "hw-merge-steps-new" : null }, shown(symbols[id]));
      const size = now.words.reduce((sum, word) => sum + word.length, 0);
      count.textContent = `After ${step} ${step === 1 ? "merge" : "merges"}: ${size} ${size === 1 ? "token" : "tokens"}.`;
      words.replaceChildren(...now.words.map((word) => h("ol", { class: "hw-tokens" }, ...word.map(token))));
      why.textContent = reason(now.pairs, symbols);
      const made = steps.slice(1, step + 1).map(({ made }) => shown(symbols[made]));
      merges.textContent = made.length ? `Tokens learned: ${made.join(", ")}.` : "No token is learned yet.";
      pairs.replaceChildren(
        ...now.pairs.slice(0, 8).map(({ left, right, count: times }, i) => {
          const first = now.pairs[0].count;
          const remark = times < 2 || times < first ? "" : i ? "as often" : "is merged next";
          return h(
            "tr",
            { class: i === 0 && times > 1 ? "hw-lit" : null },
            h("th", { scope: "row" }, `${shown(symbols[left])} + ${shown(symbols[right])}`),
            h("td", {}, times),
            h("td", {}, remark),
          );
        }),
      );
      forward.setAttribute("aria-disabled", step === steps.length - 1);
      back.setAttribute("aria-disabled", step === 0);
    }
  },
};
