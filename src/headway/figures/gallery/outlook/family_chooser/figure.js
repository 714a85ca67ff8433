// Questions about a task, and what rules make of the answers: of each decision's rules the first
// that fits.
// data: { questions: [{ name, options }], decisions: [{ name, rules: [{ choose, why, when }] }] }
// where `when` holds pairs of a question's place and the places of the answers that fit
import { addressed, whole } from "../../../core/address.js";
import { h, labelled, select, stageOf, voice } from "../../../core/shared.js";

// Whether a rule fits the answers, a place for each question.
export function fits({ when }, answers) {
  return when.every(([question, allowed]) => allowed.includes(answers[question]));
}

// The place of the first rule that fits.
export function decide(rules, answers) {
  return rules.findIndex((rule) => fits(rule, answers));
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { questions, decisions } = model.get("data");
    const fields = questions.map(({ options }, i) => [`answer${i + 1}`, whole(options.length)]);
    const address = addressed(model, root, Object.fromEntries(fields));
    const answers = fields.map(([name]) => address.given[name] ?? 0);
    const menus = questions.map(({ name, options }, i) =>
      labelled(name, select(options, answers[i], (answer) => update(i, answer))),
    );
    const chosen = decisions.map(({ name }) => h("dd", { "data-reading": name }));
    const reasons = decisions.map(() => h("dd", { class: "hw-family-chooser-why" }));
    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide hw-stacked hw-family-chooser-asked" }, ...menus),
      h(
        "dl",
        { class: "hw-readings hw-family-chooser" },
        ...decisions.flatMap(({ name }, i) => [h("dt", {}, name), chosen[i], reasons[i]]),
      ),
    );
    const say = voice(root);
    draw();

    function update(question, answer) {
      answers[question] = answer;
      draw();
      say(decisions.map(({ name }, i) => `${name}: ${chosen[i].textContent}.`).join(" "));
      address.keep(Object.fromEntries(fields.map(([name], i) => [name, answers[i]])));
    }

    function draw() {
      decisions.forEach(({ rules }, i) => {
        const rule = rules[decide(rules, answers)];
        chosen[i].textContent = rule.choose;
        reasons[i].textContent = rule.why;
      });
    }
  },
};
