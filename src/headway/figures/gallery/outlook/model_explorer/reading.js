// The way in: what the model reads, token by token, and the nearest rows of its embedding.
import { h, show } from "../../../core/shared.js";
import { answered } from "./asking.js";
import { alertLine, bars, remark, section } from "./widgets.js";
import { counted, quoted } from "./words.js";

const NEAREST = 10; // rows of the embedding

export function tokensPart({ state, facts, place }) {
  const said = h("p", { class: "hw-sentence" });
  const list = h("ol", { class: "hw-tokens hw-tokens-read", tabindex: 0, "aria-label": "Tokens with their ids and losses" });
  const uniform = Math.log(facts.vocabulary);
  const node = section(place("tokens"), "Tokens", said, remark("Under each token its id, and its loss in nats: the stronger the color, the more it surprised the model."), list);
  return {
    node,
    refresh() {
      const { pieces, ids, losses, at } = state;
      const known = losses.slice(1);
      const mean = known.reduce((sum, x) => sum + x, 0) / known.length;
      const own = losses[at] == null ? "it begins the text, so nothing could expect it" : `its loss was ${show(losses[at])} nats`;
      const average = known.length ? ` The mean of all is ${show(mean)}; a uniform guess has ${show(uniform)}.` : "";
      said.textContent = `Token ${at + 1}, ${quoted(pieces[at])}, has id ${counted(ids[at])}, and ${own}.${average}`;
      const item = (piece, t) =>
        h(
          "li",
          { class: t === at ? "hw-explorer-asks" : null, style: `--loss: ${Math.min((losses[t] ?? 0) / uniform, 1)}` },
          ...[h("span", { title: piece }, piece), h("small", {}, String(ids[t])), h("small", {}, losses[t] == null ? "–" : show(losses[t], 1))],
        );
      list.replaceChildren(...pieces.map(item));
    },
  };
}

export function embeddingPart({ state, ask, facts, place }) {
  const line = alertLine();
  const said = h("p", { class: "hw-sentence" });
  const table = bars("The nearest rows", ["token", "", "cosine"], NEAREST);
  const box = h("div", {}, said, table.node);
  const refresh = answered({
    ...{ box, line, ask },
    needs: () => (state.ids.length ? { ask: "neighbors", id: state.ids[state.at] } : null),
    shows({ rows }) {
      const here = quoted(state.pieces[state.at]);
      said.textContent = `The row of ${here} points most nearly where that of ${quoted(rows[0].piece)} points: cosine ${show(rows[0].cosine)}.`;
      table.show(rows.map(({ piece, cosine }) => ({ name: piece, p: Math.max(cosine, 0), numbers: [show(cosine)] })), `The rows nearest to that of ${here}`);
    },
  });
  const size = `The embedding is a table of ${counted(facts.vocabulary)} rows, one for each token, of ${counted(facts.width)} numbers.`;
  return { node: section(place("embedding"), "Embedding", remark(size), box, line), refresh };
}
