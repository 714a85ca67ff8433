// What a block costs at each length: the part that grows with T², and the part with T C².
// data: { widths: [C], lengths: [T], width, length }, the last two as places in the lists
import { h, labelled, range, select, stageOf, voice } from "../../../core/shared.js";

// FLOPs of projections (and of the feed-forward part, in a whole block), and of scores and mixing.
export function costs(length, width, whole) {
  return [(whole ? 24 : 8) * length * width ** 2, 4 * length ** 2 * width];
}

// The length at which the two cost the same.
export function crossing(width, whole) {
  return (whole ? 6 : 2) * width;
}

// A large number with two digits and a power of ten: 1.2 · 10⁹.
export function spell(value) {
  const [digits, power] = value.toExponential(1).split("e+");
  return `${digits} · 10${[...power].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`;
}

// A share as a whole number of percent, or as less or more than what rounds away.
export function percent(share) {
  if (share < 0.005) return "less than 1 %";
  if (share > 0.995) return "more than 99 %";
  return `${Math.round(100 * share)} %`;
}

const commas = (n) => n.toLocaleString("en-US");

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { widths, lengths, width, length } = model.get("data");
    const state = { width, length, whole: true };
    const [W, H, left, right, top, bottom] = [520, 300, 52, 14, 26, 44];

    const widthSelect = select(widths.map(commas), width, (i) => update({ width: i }));
    const partSelect = select(["a whole block", "attention alone"], 0, (i) => update({ whole: i === 0 }));
    const slider = range(0, lengths.length - 1, 1, length, (i) => update({ length: i }));
    const lengthShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const chart = h("svg", { viewBox: `0 0 ${W} ${H}`, class: "hw-cost-curves", "aria-hidden": "true" });
    const sentence = h("p", { class: "hw-sentence" });
    const terms = ["grows with T C²", "grows with T²", "crossing"];
    const reading = terms.map((term) => h("dd", { "data-reading": term }));
    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        labelled("Width C", widthSelect),
        labelled("Counted", partSelect),
        labelled("Length T", slider, lengthShown),
      ),
      chart,
      sentence,
      h("dl", { class: "hw-readings hw-cost-curves-readings" }, ...terms.flatMap((term, i) => [h("dt", {}, term), reading[i]])),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(sentence.textContent);
    }

    function draw() {
      const [d, n] = [widths[state.width], lengths[state.length]];
      const ends = [lengths[0], lengths.at(-1)];
      const all = ends.flatMap((end) => costs(end, d, state.whole)).map(Math.log10);
      const [low, high] = [Math.min(...all), Math.max(...all)];
      const [start, end] = ends.map(Math.log10);
      const x = (tokens) => left + ((Math.log10(tokens) - start) / (end - start)) * (W - left - right);
      const y = (flops) => H - bottom - ((Math.log10(flops) - low) / (high - low)) * (H - top - bottom);
      const at = crossing(d, state.whole);
      const lines = [0, 1].map((part) => {
        const points = lengths.map((tokens) => `${x(tokens)},${y(costs(tokens, d, state.whole)[part])}`);
        return h(
          "g",
          { class: `hw-cost-curves-${part}` },
          h("path", { d: `M${points.join("L")}` }),
          h("circle", { cx: x(n), cy: y(costs(n, d, state.whole)[part]), r: 6 }),
        );
      });
      const marks = [];
      for (let power = Math.ceil(low); power <= high; power += 2) {
        marks.push(h("text", { x: left - 6, y: y(10 ** power), "text-anchor": "end" }, `10${[...String(power)].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")}`));
      }
      const inside = at >= ends[0] && at <= ends[1];
      const late = x(at) > W - 150;
      chart.replaceChildren(
        ...marks,
        ...(inside
          ? [
              h("line", { x1: x(at), x2: x(at), y1: top, y2: H - bottom, class: "hw-cost-curves-guide" }),
              h("text", { x: x(at) + (late ? -6 : 6), y: H - bottom - 12, "text-anchor": late ? "end" : "start" }, `T = ${commas(at)}`),
            ]
          : []),
        ...lines,
        h("text", { x: left, y: H - bottom + 16, "text-anchor": "middle" }, commas(ends[0])),
        h("text", { x: W - right, y: H - bottom + 16, "text-anchor": "end" }, commas(ends[1])),
        h("text", { x: (left + W - right) / 2, y: H - 8, "text-anchor": "middle" }, "length T, tokens"),
        h("text", { x: left, y: 12 }, "FLOPs"),
        h("text", { x: left + 70, y: 12, class: "hw-cost-curves-0" }, "T C² part"),
        h("text", { x: left + 160, y: 12, class: "hw-cost-curves-1" }, "T² part"),
      );
      const [linear, quadratic] = costs(n, d, state.whole);
      widthSelect.value = state.width;
      partSelect.value = state.whole ? 0 : 1;
      slider.value = state.length;
      slider.setAttribute("aria-valuetext", `${commas(n)} tokens`);
      lengthShown.textContent = commas(n);
      [`${spell(linear)} FLOPs`, `${spell(quadratic)} FLOPs`, `T = ${commas(at)}`].forEach((text, i) => (reading[i].textContent = text));
      const what = state.whole ? "a block" : "attention";
      sentence.textContent = `At ${commas(n)} tokens, the T² part is ${percent(quadratic / (linear + quadratic))} of what ${what} of width ${commas(d)} costs.`;
    }
  },
};
