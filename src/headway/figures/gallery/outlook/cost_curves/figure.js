// What a block costs at each length: the part that grows with T², and the part with T C².
// data: { widths: [C], lengths: [T], width, length }, the last two as places in the lists
import { addressed, flag, whole } from "../../../core/address.js";
import { chart, lineThrough, raised, spellPower } from "../../../core/chart.js";
import { h, labelled, select, stageOf, voice } from "../../../core/shared.js";

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
  return `${digits} · 10${raised(power)}`;
}

// A share as a whole number of percent, or as less or more than what rounds away.
export function percent(share) {
  if (share < 0.005) return "less than 1 %";
  if (share > 0.995) return "more than 99 %";
  return `${Math.round(100 * share)} %`;
}

const PARTS = ["T C² part", "T² part"];
const commas = (n) => n.toLocaleString("en-US");

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { widths, lengths, width, length } = model.get("data");
    const address = addressed(model, root, {
      ...{ width: whole(widths.length), length: whole(lengths.length), whole: flag },
    });
    const state = { width, length, whole: true, ...address.given };
    const ends = [lengths[0], lengths.at(-1)];

    const widthSelect = select(widths.map(commas), width, (i) => update({ width: i }));
    const partSelect = select(["a whole block", "attention alone"], 0, (i) => update({ whole: i === 0 }));
    const curves = chart({
      label: "FLOPs by length",
      height: 320,
      axes: () => ({
        x: { range: ends, log: true, ticks: ends, spell: commas, name: "length T, tokens" },
        y: { range: reach(), log: true, spell: spellPower, name: "FLOPs" },
      }),
      inside,
      stops: {
        name: "Length T",
        values: lengths,
        spell: (n) => `${commas(n)} tokens`,
        at: () => state.length,
        go: (place) => update({ length: place }),
      },
    });
    const sentence = h("p", { class: "hw-sentence" });
    const terms = ["grows with T C²", "grows with T²", "crossing"];
    const reading = terms.map((term) => h("dd", { "data-reading": term }));
    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Width C", widthSelect), labelled("Counted", partSelect)),
      curves.node,
      sentence,
      h("dl", { class: "hw-readings hw-cost-curves-readings" }, ...terms.flatMap((term, i) => [h("dt", {}, term), reading[i]])),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(sentence.textContent);
      address.keep(state);
    }

    function costsAt(tokens) {
      return costs(tokens, widths[state.width], state.whole);
    }

    function reach() {
      const all = ends.flatMap(costsAt);
      return [Math.min(...all), Math.max(...all)];
    }

    function inside({ x, y, left, right, top, bottom }) {
      const n = lengths[state.length];
      const at = crossing(widths[state.width], state.whole);
      const late = x(at) > right - 90 || (n > at && x(at) > left + 90); // on the side without the line
      const meet = [
        h("line", { class: "hw-chart-mark", x1: x(at), x2: x(at), y1: top, y2: bottom }),
        h("text", { x: x(at) + (late ? -6 : 6), y: top + 10, "text-anchor": late ? "end" : "start" }, `T = ${commas(at)}`),
      ];
      // Each name stands above its line near the middle, where the two are apart.
      const named = lengths[Math.floor(0.3 * lengths.length)];
      return [
        ...(at >= ends[0] && at <= ends[1] ? meet : []),
        ...PARTS.map((name, part) =>
          h(
            "g",
            { class: `hw-tone-${part}` },
            h("path", { class: "hw-chart-line", d: lineThrough(lengths.map((tokens) => [x(tokens), y(costsAt(tokens)[part])])) }),
            h("circle", { class: "hw-chart-dot", cx: x(n), cy: y(costsAt(n)[part]), r: 6 }),
            h("text", { class: "hw-chart-name", x: x(named), y: y(costsAt(named)[part]) + (part ? 20 : -14), "text-anchor": part ? "start" : "end" }, name),
          ),
        ),
      ];
    }

    function draw() {
      const [d, n] = [widths[state.width], lengths[state.length]];
      const [linear, quadratic] = costsAt(n);
      curves.draw();
      widthSelect.value = state.width;
      partSelect.value = state.whole ? 0 : 1;
      const at = `T = ${commas(crossing(d, state.whole))}`;
      [`${spell(linear)} FLOPs`, `${spell(quadratic)} FLOPs`, at].forEach((text, i) => (reading[i].textContent = text));
      const what = state.whole ? "a block" : "attention";
      sentence.textContent = `At ${commas(n)} tokens, the T² part is ${percent(quadratic / (linear + quadratic))} of what ${what} of width ${commas(d)} costs.`;
    }
  },
};
