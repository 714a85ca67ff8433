// One word asks, the words up to it are asked: scores, weights, and what the mixture says.
// data: { cases: [{ name, tokens: [T], scores: [T][T], weights: [T][T], values: [T][word, gain],
//                   next: [T][[word, p]] }] }
import { addressed, whole } from "../../../core/address.js";
import { walk } from "../../../core/grid.js";
import { h, labelled, select, show, stageOf, voice } from "../../../core/shared.js";

// A softmax gives nothing to none, and all only to who is alone; rounding must not say otherwise.
export function share(w, among = 2) {
  if (w < 0.0005) return "< 0.001";
  return w > 0.9995 && among > 1 ? "> 0.999" : show(w, 3);
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { cases } = model.get("data");
    const lastOf = (chosen) => cases[chosen].tokens.length - 1;
    const longest = Math.max(...cases.map(({ tokens }) => tokens.length));
    const address = addressed(model, root, { chosen: whole(cases.length), query: whole(longest) });
    const { chosen = 0, query = lastOf(chosen) } = address.given;
    const state = { chosen, query: Math.min(query, lastOf(chosen)) };

    const picker = select(
      cases.map((one) => one.name),
      chosen,
      (chosen) => update({ chosen, query: lastOf(chosen) }),
    );
    const words = h("div", { class: "hw-attention-words", role: "group", "aria-label": "Who asks" });
    const caption = h("caption", {});
    const body = h("tbody", {});
    const outcome = h("p", { class: "hw-attention-next" });
    const stand = walk(words, () => [buttons], (_, query) => update({ query }));
    let buttons;

    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Sentence", picker)),
      words,
      h(
        "div",
        { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": "Scores and weights" },
        h(
          "table",
          { class: "hw-grid hw-attention-keys" },
          caption,
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ...["key of", "score", "weight", "as a bar", "its value speaks for"].map((name) =>
                h("th", { scope: "col" }, name),
              ),
            ),
          ),
          body,
        ),
      ),
      outcome,
    );
    const say = voice(root);
    build();
    draw();

    function update(change) {
      const other = "chosen" in change;
      if (!other && change.query === state.query) return;
      Object.assign(state, change);
      if (other) build();
      const told = draw();
      say(told);
      address.keep(state);
    }

    // The words of the chosen sentence as buttons; one of them is in the tab order.
    function build() {
      buttons = cases[state.chosen].tokens.map((token, t) =>
        h(
          "button",
          {
            type: "button",
            class: "hw-word-button",
            mouseenter: () => update({ query: t }),
            focus: () => update({ query: t }),
            click: () => update({ query: t }),
          },
          token,
        ),
      );
      words.replaceChildren(...buttons);
    }

    function draw() {
      const { tokens, scores, weights, values, next } = cases[state.chosen];
      const t = state.query;
      const most = Math.max(...weights[t]);
      buttons.forEach((button, s) => {
        button.setAttribute("aria-pressed", s === t);
        button.style.setProperty("--p", s <= t ? weights[t][s] : 0);
      });
      stand(0, t);
      caption.textContent = `“${tokens[t]}” asks the words up to itself`;
      body.replaceChildren(
        ...tokens.map((token, s) => {
          const name = h("th", { scope: "row" }, token);
          if (s > t) return h("tr", { class: "hw-attention-later" }, name, h("td", { colspan: 4 }, "comes later: hidden"));
          const bar = h("span", { class: "hw-bar", style: `--to: ${weights[t][s]}` });
          const [word, gain] = values[s];
          return h(
            "tr",
            { class: weights[t][s] === most ? "hw-lit" : null },
            name,
            h("td", {}, show(scores[t][s])),
            h("td", {}, share(weights[t][s], t + 1)),
            h("td", { class: "hw-attention-bar" }, bar),
            h("td", {}, `${word} +${show(gain, 1)}`),
          );
        }),
      );
      const words = next[t].map(([word, p]) => `${word} ${share(p)}`).join(", ");
      outcome.textContent = `The mixture, added to “${tokens[t]}”, says next: ${words}.`;
      return `${tokens[t]} looks most at ${tokens[weights[t].indexOf(most)]}, ${share(most, t + 1)}. ${outcome.textContent}`;
    }
  },
};
