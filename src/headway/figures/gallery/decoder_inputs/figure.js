// What a decoder reads at each position, and what it says: the true words, its own, or a mixture.
// data: { stages: [N], chosen, cases: [{ source, target: [T],
//         ways: [N][{ name, read: [T], said: [T] }] }] }
import { h, labelled, select, stageOf, voice } from "../../core/shared.js";

// How many words differ from the true ones at their places; nothing is no word.
export function untrue(words, truth) {
  return words.filter((word, t) => word && word !== truth[t]).length;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { stages, chosen, cases } = model.get("data");
    const state = { one: 0, stage: chosen };

    const caseSelect = select(cases.map(({ source }) => source), 0, (one) => update({ one }));
    const stageSelect = select(stages, chosen, (stage) => update({ stage }));
    const tables = h("div", { class: "hw-panels" });
    const truth = h("p", { class: "hw-vector" });
    const summary = h("p", { class: "hw-sentence" });
    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Sentence", caseSelect)),
      h("div", { class: "hw-controls" }, labelled("Model after", stageSelect)),
      truth,
      tables,
      summary,
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(summary.textContent);
    }

    function draw() {
      const { target, ways } = cases[state.one];
      const now = ways[state.stage];
      const reads = ["<start>", ...target];
      caseSelect.value = state.one;
      stageSelect.value = state.stage;
      truth.textContent = `Right: ${target.join(" ")}`;
      const cell = (word, right) =>
        h(
          "td",
          { class: word && word !== right ? "hw-inputs-off" : null },
          word || "–",
          word && word !== right ? h("span", { class: "hw-voice" }, " (not the true word)") : null,
        );
      tables.replaceChildren(
        ...now.map(({ name, read, said }) =>
          h(
            "table",
            { class: "hw-inputs hw-panel", "data-way": name },
            h("caption", {}, name),
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "reads"), h("th", { scope: "col" }, "says"))),
            h(
              "tbody",
              {},
              ...read.map((word, t) => h("tr", {}, cell(word, reads[t]), cell(said[t], target[t]))),
            ),
          ),
        ),
      );
      const wrong = now.map(({ name, read }) => `${name}: ${untrue(read, reads)}`);
      summary.textContent = `Inputs that are not the true words. ${wrong.join(", ")}.`;
    }
  },
};
