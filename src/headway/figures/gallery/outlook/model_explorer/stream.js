// What the model would say if the stream ended after each of its layers.
import { chance, h } from "../../../core/shared.js";
import { answered } from "./asking.js";
import { alertLine, bars, grid, remark, scrolling, section, setText } from "./widgets.js";
import { leads, quoted } from "./words.js";

const LIKELIEST = 5; // tokens of one layer

function after(layer) {
  return layer ? `block ${layer}` : "embedding";
}

// In a sentence, where the answer first leads.
function firstSaid(answer, ranks) {
  const { first, steady } = leads(ranks);
  const last = ranks.length - 1;
  if (first === last) return `${quoted(answer.piece)} becomes the likeliest only after block ${last}, the last.`;
  const begins = first ? `becomes the likeliest after block ${first} of ${last}` : "is the likeliest even before the first block";
  return `${quoted(answer.piece)} ${begins}, and stays so${steady > first ? ` from block ${steady} on` : ""}.`;
}

export function streamPart({ state, facts, ask, about, update, say, place }) {
  const line = alertLine();
  const moreLine = alertLine();
  const said = h("p", { class: "hw-sentence" });
  const here = remark();
  const layers = Array.from({ length: facts.layers + 1 }, (_, layer) => layer);
  const meters = layers.map(() => h("div", { class: "hw-meter-track", role: "img", "aria-label": "not read yet" }, h("div", { class: "hw-meter", style: "width: 0" })));
  const lens = grid("What the stream would say after each block", "hw-explorer-lens", 2, (layer, j) => update({ layer, at: state.from + j }, "stream"));
  const scroll = scrolling("What the stream would say after each block", lens.node);
  const table = h("div", {}, scroll);
  const five = bars("The likeliest", ["token", "", "p"], LIKELIEST);
  const beside = h("div", { style: "width: 17rem; max-width: 100%" }, here, five.node);
  let answer; // of the whole model after the word that asks

  const draw = (head, rows, column) => {
    const shown = rows.map((cells, layer) => ({ front: [after(layer), meters[layer]], cells }));
    lens.show({ head: ["after", answer ? quoted(answer.piece) : "answer", ...head], rows: shown, column }, [state.layer, column]);
  };
  draw([], layers.map(() => []), 0);

  const refreshTable = answered({
    ...{ box: table, line, ask },
    needs: () => about({ ask: "lens", from: state.from, to: state.until }),
    shows({ layers: rows }) {
      const { from, until, at, pieces } = state;
      const cell = ({ piece, p }, layer, j) => ({ text: piece, p, says: `After ${after(layer)} and ${quoted(pieces[from + j])}: ${quoted(piece)}, ${chance(p)}` });
      draw(pieces.slice(from, until), rows.map((row, layer) => row.map((one, j) => cell(one, layer, j))), at - from);
      const [left, marked] = [scroll.querySelector("tbody th").offsetWidth, scroll.querySelector("thead .hw-current")];
      const hidden = marked.offsetLeft + marked.offsetWidth - scroll.clientWidth;
      if (hidden > scroll.scrollLeft || marked.offsetLeft - left < scroll.scrollLeft) scroll.scrollLeft = hidden;
    },
  });
  const refreshColumn = answered({
    ...{ box: beside, line: moreLine, ask },
    needs: () => about({ ask: "lens-at", at: state.at }),
    shows(found) {
      answer = found.answer;
      setText(lens.node.querySelectorAll("thead span")[1], quoted(answer.piece));
      found.layers.forEach(({ answer: { p } }, layer) => {
        meters[layer].firstChild.style.width = `${100 * p}%`;
        meters[layer].setAttribute("aria-label", chance(p));
      });
      said.textContent = `After ${quoted(state.pieces[state.at])}: ${firstSaid(answer, found.layers.map(({ answer: { rank } }) => rank))}`;
      const { rows, answer: now } = found.layers[state.layer];
      here.textContent = `After ${after(state.layer)} ${quoted(answer.piece)} has ${chance(now.p)}: place ${now.rank}.`;
      five.show(rows.map(({ piece, p }) => ({ name: piece, p, numbers: [chance(p)] })), `The likeliest after ${after(state.layer)}`);
      if (state.speaker === "stream") say(`${said.textContent} ${here.textContent}`);
    },
  });
  const node = section(
    place("stream", true),
    "What the stream says on its way",
    remark("Each cell shows what the model would say if it stopped after that block; the stronger the color, the surer. The bars are the probability of the model’s final answer after the word that asks."),
    said,
    h("div", { class: "hw-explorer-sides" }, h("div", { class: "hw-explorer-rest", style: "--least: 40rem" }, table, line), h("div", {}, beside, moreLine)),
  );
  return { node, refresh: () => (refreshTable(), refreshColumn()) };
}
