// What stands at each position, and the scores of the same contents at two positions.
// data: { schemes: [{ name, columns, values: [N][K], scores: [N][N] }], scheme, position }
import { h, labelled, range, select, set, show, stageOf, voice } from "../../core/shared.js";

// The points (distance, score) of one position.
export function byDistance(scores, position) {
  return scores[position].map((score, s) => [s - position, score]);
}

// By how much scores of one distance differ at most: 0 if only the distance counts.
export function spread(scores) {
  const lows = new Map(), highs = new Map();
  scores.forEach((row, p) =>
    row.forEach((score, s) => {
      lows.set(s - p, Math.min(score, lows.get(s - p) ?? Infinity));
      highs.set(s - p, Math.max(score, highs.get(s - p) ?? -Infinity));
    }),
  );
  return Math.max(...[...lows].map(([distance, low]) => highs.get(distance) - low));
}

// What the scores of all positions know, in words.
export function knows(scores) {
  const flat = scores.flat();
  if (Math.max(...flat) - Math.min(...flat) < 0.005) return "All scores are equal: the scheme knows no order.";
  const most = spread(scores);
  if (most < 0.005) return "Scores of the same distance are equal: only the distance counts.";
  return `Scores of the same distance differ by up to ${show(most)}: the place counts too.`;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { schemes, scheme, position } = model.get("data");
    const state = { scheme, position };
    const N = schemes[0].values.length;
    const SIDE = 220, LEFT = 42, TOP = 8, W = 380, H = 264, RIGHT = 12, BOTTOM = 36;

    const cells = h("g", {});
    const frame = h("rect", { class: "hw-scheme-frame", x: LEFT, width: SIDE, height: SIDE / N });
    const under = h("text", { x: LEFT + SIDE / 2, y: TOP + SIDE + 20, "text-anchor": "middle" });
    const map = h(
      "svg",
      { viewBox: `0 0 ${LEFT + SIDE + 6} ${H}`, class: "hw-scheme-map", "aria-hidden": "true", click: pick },
      cells,
      frame,
      ...[0, N - 1].map((p) => h("text", { x: LEFT - 6, y: TOP + ((p + 0.8) * SIDE) / N, "text-anchor": "end" }, String(p))),
      h("text", { x: 12, y: TOP + SIDE / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${TOP + SIDE / 2})` }, "position"),
      under,
    );
    const others = h("g", {});
    const line = h("path", { class: "hw-scheme-line" });
    const ticks = h("g", {});
    const chart = h(
      "svg",
      { viewBox: `0 0 ${W} ${H}`, class: "hw-scheme-chart", role: "img", "aria-label": "Score by distance" },
      h("line", { class: "hw-scheme-axis", x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM }),
      h("line", { class: "hw-scheme-axis", x1: LEFT, x2: LEFT, y1: TOP, y2: H - BOTTOM }),
      h("text", { x: (LEFT + W - RIGHT) / 2, y: H - 4, "text-anchor": "middle" }, "distance s − p"),
      ...[1 - N, 0, N - 1].map((d) => h("text", { x: x(d), y: H - BOTTOM + 15, "text-anchor": "middle" }, show(d))),
      ticks,
      others,
      line,
    );
    const choice = select(schemes.map(({ name }) => name), scheme, (i) => update({ scheme: i }));
    const place = range(0, N - 1, 1, position, (p) => update({ position: p }));
    const placeShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const reading = h("p", { class: "hw-sentence" });
    const verdict = h("p", { class: "hw-doubt" });
    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Scheme", choice), labelled("Position p", place, placeShown)),
      h("div", { class: "hw-schemes" }, map, chart),
      reading,
      verdict,
    );
    const say = voice(root);
    drawMap();
    draw();

    function x(distance) {
      return LEFT + ((W - LEFT - RIGHT) * (distance + N - 1)) / (2 * N - 2);
    }

    function pick(event) {
      const box = map.getBoundingClientRect();
      const y = ((event.clientY - box.top) / box.height) * H - TOP;
      update({ position: Math.min(Math.max(Math.floor((y * N) / SIDE), 0), N - 1) });
    }

    function update(change) {
      Object.assign(state, change);
      if ("scheme" in change) drawMap();
      draw();
      say(`${schemes[state.scheme].name}. ${reading.textContent} ${verdict.textContent}`);
    }

    function drawMap() {
      const { values, columns } = schemes[state.scheme];
      const most = Math.max(...values.flat().map(Math.abs)) || 1;
      const K = values[0].length;
      cells.replaceChildren(
        ...values.flatMap((row, p) =>
          row.map((value, c) =>
            h("rect", {
              x: LEFT + (c * SIDE) / K,
              y: TOP + (p * SIDE) / N,
              width: SIDE / K + 0.3,
              height: SIDE / N + 0.3,
              class: value < 0 ? "hw-below" : null,
              style: `--p: ${(Math.abs(value) / most).toFixed(2)}`,
            }),
          ),
        ),
      );
      under.textContent = columns;
    }

    function draw() {
      const { scores } = schemes[state.scheme], p = state.position;
      const flat = scores.flat();
      const low = Math.min(0, ...flat), high = Math.max(...flat, low + 0.1);
      const y = (score) => H - BOTTOM - ((H - TOP - BOTTOM) * (score - low)) / (high - low);
      const path = (of) => of.map(([d, score], i) => `${i ? "L" : "M"}${x(d).toFixed(1)} ${y(score).toFixed(1)}`).join("");
      others.replaceChildren(...scores.map((_, q) => h("path", { class: "hw-scheme-other", d: path(byDistance(scores, q)) })));
      set(line, { d: path(byDistance(scores, p)) });
      ticks.replaceChildren(
        ...[low, high].map((score) => h("text", { x: LEFT - 6, y: y(score) + (score === high ? 8 : 0), "text-anchor": "end" }, show(score, 1))),
      );
      set(frame, { y: TOP + (p * SIDE) / N });
      choice.value = state.scheme;
      place.value = p;
      placeShown.textContent = p;
      const near = [-1, 0, 1].filter((d) => 0 <= p + d && p + d < N);
      reading.textContent = `Position ${p}: the score is ${near.map((d) => `${show(scores[p][p + d])} at distance ${show(d)}`).join(", ")}.`;
      verdict.textContent = knows(scores);
    }
  },
};
