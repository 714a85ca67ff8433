// One word in many sentences, as points, before the first layer of a model and after each of them.
// data: { words: [{ word, senses: [2], texts: [n], of: [n], points: [L + 1][n][2],
//         shares: [L + 1] }], start: layer }
import { addressed, whole } from "../../../core/address.js";
import { dragged, placeIn } from "../../../core/handles.js";
import { h, labelled, range, select, show, stageOf, voice } from "../../../core/shared.js";

export function told(layer) {
  return layer ? `after layer ${layer}` : "before the first layer";
}

// The mention whose point is nearest to another's, and itself not that one; ties go to the first.
export function nearestTo(points, here) {
  const far = points.map(([x, y], i) => (i === here ? Infinity : Math.hypot(x - points[here][0], y - points[here][1])));
  return far.indexOf(Math.min(...far));
}

// The mention whose point is nearest to a place on the map.
export function mentionAt(points, x, y) {
  const far = points.map(([px, py]) => Math.hypot(px - x, py - y));
  return far.indexOf(Math.min(...far));
}

const EDGE = 1.15;

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { words, start } = model.get("data");
    const fewest = Math.min(...words.map(({ texts }) => texts.length));
    const address = addressed(model, root, {
      ...{ word: whole(words.length), layer: whole(words[0].points.length), here: whole(fewest) },
    });
    const state = { word: 0, layer: start, here: 0, ...address.given };

    const wordSelect = select(words.map(({ word }) => word), state.word, (word) => update({ word, here: 0 }));
    const slider = range(0, words[0].points.length - 1, 1, state.layer, (layer) => update({ layer }));
    const layerShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const sentences = h("div", { class: "hw-sense-choice" });
    const map = h("svg", {
      viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`,
      class: "hw-sense-map",
      "aria-hidden": "true",
    });
    dragged(map, (event) => {
      const [x, y] = placeIn(map, event);
      const here = mentionAt(words[state.word].points[state.layer], x, -y);
      if (here !== state.here) update({ here });
    });
    const key = h("ul", { class: "hw-sense-key" });
    const share = h("p", { class: "hw-sentence" });
    const reading = h("p", { class: "hw-sense-reading" });
    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Word", wordSelect), labelled("Layer", slider, layerShown)),
      h("div", { class: "hw-controls hw-wide" }, sentences),
      share,
      map,
      key,
      reading,
    );
    const say = voice(root);
    fillSentences();
    draw();

    function fillSentences() {
      const choice = select(words[state.word].texts, state.here, (here) => update({ here }));
      sentences.replaceChildren(labelled("Sentence", choice));
    }

    function update(change) {
      Object.assign(state, change);
      if ("word" in change) fillSentences();
      draw();
      say(`${share.textContent} ${reading.textContent}`);
      address.keep(state);
    }

    function draw() {
      const { word, senses, texts, of, points, shares } = words[state.word];
      const now = points[state.layer];
      const { here } = state;
      sentences.querySelector("select").value = here;
      slider.setAttribute("aria-valuetext", told(state.layer));
      layerShown.textContent = told(state.layer);
      const mark = ([x, y], i) => {
        const of_sense = `hw-sense hw-sense-${of[i]}${i === here ? " hw-lit" : ""}`;
        const size = i === here ? 0.06 : 0.035;
        const name = h("title", {}, texts[i]);
        return of[i]
          ? h("rect", { x: x - size, y: -y - size, width: 2 * size, height: 2 * size, class: of_sense }, name)
          : h("circle", { cx: x, cy: -y, r: size, class: of_sense }, name);
      };
      map.replaceChildren(...now.map(mark));
      const sign = (i) =>
        i
          ? h("rect", { x: -0.6, y: -0.6, width: 1.2, height: 1.2, class: "hw-sense hw-sense-1" })
          : h("circle", { r: 0.7, class: "hw-sense hw-sense-0" });
      key.replaceChildren(
        ...senses.map((name, i) => h("li", {}, h("svg", { viewBox: "-1 -1 2 2", "aria-hidden": "true" }, sign(i)), name)),
      );
      share.textContent = `“${word}” ${told(state.layer)}: the same sense is nearer in ${show(100 * shares[state.layer], 0)} % of the comparisons.`;
      const near = nearestTo(now, here);
      reading.textContent = `Chosen, ${senses[of[here]]}: “${texts[here]}”. Nearest on the map, ${senses[of[near]]}: “${texts[near]}”.`;
    }
  },
};
