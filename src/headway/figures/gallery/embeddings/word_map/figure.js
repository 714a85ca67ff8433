// Word vectors on a map, and the nearest neighbors of a chosen word.
// data: { words: [V], vectors: [V][C], points: [V][2], groups: [G], of: [V], start, count }
import { h, labelled, select, show, stageOf, voice } from "../../../core/shared.js";

const HUES = ["blue", "vermilion", "green", "purple", "ochre"];

export function dot(a, b) {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}

export function cosine(a, b) {
  return dot(a, b) / (Math.hypot(...a) * Math.hypot(...b));
}

// How near two words are by each measure; larger is nearer.
export function nearness(measure, { vectors, points }, i, j) {
  if (measure === "cosine") return cosine(vectors[i], vectors[j]);
  if (measure === "dot product") return dot(vectors[i], vectors[j]);
  return -Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]);
}

// The `count` nearest others, nearest first, those that tie in order: [{ word, value }].
export function neighbors(measure, data, here, count) {
  return data.words
    .map((_, word) => ({ word, value: nearness(measure, data, here, word) }))
    .filter(({ word }) => word !== here)
    .sort((a, b) => b.value - a.value || a.word - b.word)
    .slice(0, count);
}

// The word whose point is nearest to a place on the map.
export function wordAt(points, x, y) {
  const far = points.map(([px, py]) => Math.hypot(px - x, py - y));
  return far.indexOf(Math.min(...far));
}

// Heights for labels in their order, each as near to its point as it can be `gap` below the last.
export function apart(heights, gap) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b] || a - b);
  const placed = [...heights];
  order.slice(1).forEach((i, k) => (placed[i] = Math.max(heights[i], placed[order[k]] + gap)));
  return placed;
}

const MEASURES = ["cosine", "dot product", "distance on the map"];

// A distance is printed as one, without the minus that makes the nearest the largest.
const printed = (measure, value) => (measure === "distance on the map" ? -value : value);

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const data = model.get("data");
    const { words, points, groups, of, start, count } = data;
    const state = { here: start, measure: 0 };

    const wordSelect = select(words, start, (here) => update({ here }));
    const measureSelect = select(MEASURES, 0, (measure) => update({ measure }));

    const [left, right, bottom, top] = [0, 1].flatMap((axis) => {
      const along = points.map((point) => point[axis]);
      const margin = 0.09 * (Math.max(...along) - Math.min(...along));
      return [Math.min(...along) - margin, Math.max(...along) + margin];
    });
    const size = right - left;
    const hue = (i) => (of[i] >= 0 ? `hw-hue-${HUES[of[i]]}` : "hw-hue-none");
    const dots = points.map(([x, y], i) =>
      h("circle", { cx: x, cy: -y, class: `hw-word-dot ${hue(i)}` }, h("title", {}, words[i])),
    );
    const lines = h("g", {});
    const names = h("g", {});
    const map = h(
      "svg",
      {
        viewBox: `${left} ${-top} ${size} ${top - bottom}`,
        class: "hw-word-map",
        "aria-hidden": "true",
        style: `--hw-unit: ${size / 400}px`,
        click: clicked,
      },
      lines,
      ...dots,
      names,
    );
    const key = groups.map((name, g) =>
      h("li", {}, h("span", { class: `hw-word-swatch hw-hue-${HUES[g]}`, "aria-hidden": "true" }), name),
    );
    const caption = h("caption", {});
    const body = h("tbody", {});
    const head = h("th", { scope: "col" });
    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        labelled("Word", wordSelect),
        labelled("Nearest by", measureSelect),
      ),
      h(
        "div",
        { class: "hw-side-by-side" },
        h("div", { class: "hw-word-plane" }, map, h("ul", { class: "hw-word-key" }, ...key)),
        h(
          "table",
          { class: "hw-grid" },
          caption,
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "neighbor"), h("th", { scope: "col" }, "group"), head)),
          body,
        ),
      ),
    );
    const say = voice(root);
    draw();

    function clicked(event) {
      const at = new DOMPoint(event.clientX, event.clientY);
      const { x, y } = at.matrixTransform(map.getScreenCTM().inverse());
      update({ here: wordAt(points, x, -y) });
    }

    function update(change) {
      Object.assign(state, change);
      const found = draw();
      const told = found.map(({ word, value }) => `${words[word]} ${show(printed(MEASURES[state.measure], value))}`);
      say(`${words[state.here]}, nearest by ${MEASURES[state.measure]}: ${told.join(", ")}`);
    }

    function draw() {
      const { here } = state;
      const measure = MEASURES[state.measure];
      const found = neighbors(measure, data, here, count);
      wordSelect.value = here;
      measureSelect.value = state.measure;
      const near = new Set(found.map(({ word }) => word));
      dots.forEach((node, i) => {
        node.classList.toggle("hw-lit", i === here);
        node.classList.toggle("hw-near", near.has(i));
      });
      const named = [here, ...near];
      const heights = apart(named.map((i) => -points[i][1]), 0.032 * size);
      const label = (i, k) => {
        const ends = points[i][0] > left + 0.75 * size;
        const x = points[i][0] + (ends ? -0.018 : 0.018) * size;
        const at = { x, y: heights[k], "text-anchor": ends ? "end" : "start" };
        return h("text", { ...at, class: i === here ? "hw-main" : null }, words[i]);
      };
      lines.replaceChildren(
        ...found.map(({ word }) =>
          h("line", { x1: points[here][0], y1: -points[here][1], x2: points[word][0], y2: -points[word][1] }),
        ),
      );
      names.replaceChildren(...named.map(label));
      caption.textContent = `Nearest to “${words[here]}”`;
      head.textContent = measure;
      body.replaceChildren(
        ...found.map(({ word, value }) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, h("button", { type: "button", class: "hw-word-button", click: () => go(word) }, words[word])),
            h("td", {}, of[word] >= 0 ? groups[of[word]] : "–"),
            h("td", { "data-value": "" }, show(printed(measure, value), 3)),
          ),
        ),
      );
      return found;
    }

    // The button that was pressed is gone with its table; the menu takes the focus.
    function go(here) {
      update({ here });
      wordSelect.focus();
    }
  },
};
