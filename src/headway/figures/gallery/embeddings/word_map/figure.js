// Word vectors on a map, and the nearest neighbors of a chosen word.
// data: { words: [V], vectors: [V][C], points: [V][2], groups: [G], of: [V], start, count }
import { addressed, whole } from "../../../core/address.js";
import { dragged, placeIn } from "../../../core/handles.js";
import { h, labelled, select, set, show, stageOf, voice } from "../../../core/shared.js";

const HUES = ["blue", "vermilion", "green", "purple", "ochre"];

export function dot(a, b) {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}

export function cosine(a, b) {
  return dot(a, b) / (Math.hypot(...a) * Math.hypot(...b));
}

// How near two words are by each measure; larger is nearer.
function nearness(measure, { vectors, points }, i, j) {
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

// The word that is nearest in a direction, among those that lie more that way than aside; the same
// word if there is none.
export function toward(points, here, [right, up]) {
  const far = points.map(([x, y], i) => {
    const [dx, dy] = [x - points[here][0], y - points[here][1]];
    const ahead = dx * right + dy * up;
    const aside = Math.abs(dx * up) + Math.abs(dy * right);
    return i !== here && ahead > 0 && aside <= ahead ? Math.hypot(dx, dy) : Infinity;
  });
  const least = Math.min(...far);
  return least < Infinity ? far.indexOf(least) : here;
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
    const address = addressed(model, root, { here: whole(words.length), measure: whole(MEASURES.length) });
    const state = { here: start, measure: 0, ...address.given };

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
    const thumb = h("circle", { class: "hw-handle-reach hw-word-thumb", role: "slider", tabindex: 0, "aria-label": "Word on the map", "aria-valuemin": 1, "aria-valuemax": words.length, keydown });
    const map = h(
      "svg",
      {
        viewBox: `${left} ${-top} ${size} ${top - bottom}`,
        class: "hw-word-map",
        role: "group",
        "aria-label": "Words on a map",
        style: `--hw-unit: ${size / 400}px`,
      },
      h("g", { "aria-hidden": "true" }, lines, ...dots, names),
      thumb,
    );
    dragged(map, (event) => {
      const [x, y] = placeIn(map, event);
      const here = wordAt(points, x, -y);
      if (here !== state.here) update({ here });
      thumb.focus({ preventScroll: true });
    });
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

    function keydown(event) {
      const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      update({ here: toward(points, state.here, way) });
    }

    function update(change) {
      Object.assign(state, change);
      const found = draw();
      const told = found.map(({ word, value }) => `${words[word]} ${show(printed(MEASURES[state.measure], value))}`);
      say(`${words[state.here]}, nearest by ${MEASURES[state.measure]}: ${told.join(", ")}`);
      address.keep(state);
    }

    function draw() {
      const { here } = state;
      const measure = MEASURES[state.measure];
      const found = neighbors(measure, data, here, count);
      wordSelect.value = here;
      set(thumb, { cx: points[here][0], cy: -points[here][1], "aria-valuenow": here + 1, "aria-valuetext": words[here] });
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
