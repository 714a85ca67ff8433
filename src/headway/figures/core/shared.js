// What figures use. Each imports the names that it takes; Python joins the two into one script.

// Where a figure draws. A live notebook brings the frame (title, caption, numbers) along; on a
// page of the book the frame is there already, and `el` is its stage.
export function stageOf(model, el) {
  const frame = model.get("frame");
  if (!frame) return el;
  el.innerHTML = frame;
  el.firstElementChild.dataset.mounted = "";
  return el.querySelector(".hw-stage");
}

// A promise of what is attached to a figure: on a page a file of the site, loaded when this
// is called first; in a live notebook it came along.
export function attachedOf(model) {
  return model.attached ? model.attached() : Promise.resolve(model.get("attached"));
}

const SVG_NAMES = "svg g line path polygon circle rect text title".split(" ");

// An element with attributes and children; functions become listeners ("input", "click", …).
export function h(tag, attributes = {}, ...children) {
  const node = SVG_NAMES.includes(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

// A number as a reader writes it: no more digits than needed, and a real minus sign.
export function show(value, digits = 2) {
  const rounded = Number(value.toFixed(digits));
  return String(rounded === 0 ? 0 : rounded).replace("-", "−");
}

// A probability with three digits, and none as 0 that is not.
export function chance(p) {
  return p > 0 && p < 0.0005 ? "< 0.001" : show(p, 3);
}

// Who wins a vote among words, and whether it is the word that follows.
export function outcome(words, votes, following) {
  const total = votes.reduce((sum, x) => sum + x, 0);
  if (total === 0) return "Nothing votes: the model has no answer.";
  const [first, second] = votes.map((x, w) => [x, w]).sort((a, b) => b[0] - a[0]);
  const lead = first[0] - second[0];
  if (lead < 1e-9) return `A tie at ${show(first[0])} of ${show(total)} votes: no winner.`;
  const judged = first[1] === following ? "right" : "wrong";
  return `“${words[first[1]]}” leads by ${show(lead)} of ${show(total)} votes: ${judged}.`;
}

// A native control with its label; the label is the control's name.
export function labelled(name, control, ...more) {
  return h("label", { class: "hw-control" }, h("span", {}, name), control, ...more);
}

export function select(names, chosen, onChange) {
  const options = names.map((name, i) =>
    h("option", { value: i, selected: i === chosen }, name),
  );
  return h("select", { input: (e) => onChange(Number(e.target.value)) }, ...options);
}

export function range(min, max, step, value, onChange) {
  const control = h("input", { type: "range", min, max, step });
  control.value = value;
  control.addEventListener("input", () => onChange(Number(control.value)));
  return control;
}

// Marks nodes whose content does not belong to what the reader has asked for, or no longer: it is
// dimmed, and can be neither read out nor operated until they are marked as valid again.
export function outdated(nodes, whether) {
  for (const node of nodes) {
    node.inert = whether;
    node.classList.toggle("hw-outdated", whether);
  }
}

// A polite voice for screen readers. It waits for a pause, so that a moving slider is not
// read out at every step, and says nothing before the reader has done something.
export function voice(parent) {
  const region = h("p", { class: "hw-voice", "aria-live": "polite", role: "status" });
  parent.append(region);
  let waiting;
  return (words) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => (region.textContent = words), 400);
  };
}
