// Bars that a slider moves through a list of stops: temperatures, training steps.
// data: { choose, slider, stops: [text], at,
//         cases: [{ name, groups: [{ caption, labels, values: [stop][bar] }],
//                   readings: [{ term, texts: [stop] }] }] }
import { addressed, whole } from "../../../core/address.js";
import { dragged } from "../../../core/handles.js";
import { chance, h, labelled, range, select, stageOf, voice } from "../../../core/shared.js";

// The stop at which a bar comes nearest to a share of its track; of several, the one nearest to
// where the slider is.
export function stopFor(lengths, share, now) {
  const off = lengths.map((length, stop) => Math.abs(length - share) + 1e-6 * Math.abs(stop - now));
  return off.indexOf(Math.min(...off));
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { choose, slider: what, stops, at, cases } = model.get("data");
    const address = addressed(model, root, { chosen: whole(cases.length), stop: whole(stops.length) });
    const state = { chosen: 0, stop: at, ...address.given };

    const names = cases.map((one) => one.name);
    const picker = select(names, state.chosen, (chosen) => update({ chosen }));
    const slider = range(0, stops.length - 1, 1, at, (stop) => update({ stop }));
    const stopShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const stage = h("div", { class: "hw-meter-groups" });
    let shown; // the nodes that change with the stop

    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        cases.length > 1 ? labelled(choose, picker) : null,
        labelled(what, slider, stopShown),
      ),
      stage,
    );
    const say = voice(root);
    build();
    draw();

    function update(change) {
      Object.assign(state, change);
      address.keep(state);
      if ("chosen" in change) build();
      draw();
      const { groups, readings } = cases[state.chosen];
      const { labels, values } = groups[0];
      const now = values[state.stop];
      const best = now.indexOf(Math.max(...now));
      const more = readings.map(({ term, texts }) => `${term}: ${texts[state.stop]}`);
      say(`${stops[state.stop]}: most for ${labels[best]}, ${chance(now[best])}. ${more.join(". ")}`);
    }

    // Rows, bars and readings of the chosen case, still without their numbers.
    function build() {
      const { groups, readings } = cases[state.chosen];
      shown = { bars: [], texts: [] };
      const tables = groups.map((group) => {
        const rows = group.labels.map((label, i) => {
          const fill = h("div", { class: "hw-meter" });
          const cell = h("td", { class: "hw-meter-value" });
          const grip = h("span", { class: "hw-grip" });
          shown.bars.push({ fill, grip, cell, of: (stop) => group.values[stop][i] });
          const track = h("div", { class: "hw-meter-track hw-meter-pulled" }, fill, grip);
          pulled(track, group.values.map((all) => all[i]));
          return h("tr", {}, h("th", { scope: "row" }, label), h("td", { class: "hw-meter-cell" }, track), cell);
        });
        return h(
          "table",
          { class: "hw-meters" },
          h("caption", {}, group.caption),
          h("thead", { class: "hw-voice" }, h("tr", {}, ...["", "bar", "value"].map((name, i) =>
            i ? h("th", { scope: "col" }, name) : h("td", {}),
          ))),
          h("tbody", {}, ...rows),
        );
      });
      const list = readings.flatMap(({ term, texts }) => {
        const value = h("dd", { "data-reading": term });
        shown.texts.push({ value, texts });
        return [h("dt", {}, term), value];
      });
      const [first, ...rest] = tables;
      const side = h("div", { class: "hw-meters-beside" }, ...rest, h("dl", { class: "hw-readings" }, ...list));
      stage.replaceChildren(first, side);
    }

    // Whoever pulls a bar turns to the stop at which it is as long as that.
    function pulled(track, lengths) {
      const follow = ({ clientX }) => {
        const { left, width } = track.getBoundingClientRect();
        const stop = stopFor(lengths, (clientX - left) / width, state.stop);
        if (stop !== state.stop) update({ stop });
      };
      dragged(track, follow, { sideways: true });
    }

    function draw() {
      slider.value = state.stop;
      slider.setAttribute("aria-valuetext", stops[state.stop]);
      stopShown.textContent = stops[state.stop];
      for (const { fill, grip, cell, of } of shown.bars) {
        const value = of(state.stop);
        fill.style.width = grip.style.left = `${100 * value}%`;
        cell.textContent = chance(value);
      }
      for (const { value, texts } of shown.texts) value.textContent = texts[state.stop];
    }
  },
};
