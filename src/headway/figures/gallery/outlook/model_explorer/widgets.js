// What is pressed and walked through: tokens, cells of a table, rows of bars. Of tokens and of cells one
// is a stop of Tab, and the arrow keys lead to the others. Nodes are kept where they can be, so that
// the focus stays and nothing jumps.
import { moved } from "../../../core/grid.js";
import { h, labelled, select, set } from "../../../core/shared.js";

// A part of the page with its heading; on a wide page it is as wide as the page, or half.
export function section({ id, level, wide }, title, ...children) {
  return h("section", { id, class: `hw-explorer-part${wide ? " hw-explorer-wide" : ""}`, "aria-labelledby": `${id}-title` }, h(level, { id: `${id}-title` }, title), ...children);
}

// A line for what cannot be answered.
export function alertLine() {
  return h("p", { class: "hw-doubt", role: "alert" });
}

// What a part is about, in a sentence that stays.
export function remark(...text) {
  return h("p", { class: "hw-doubt" }, ...text);
}

export function button(label, click, more = {}) {
  return h("button", { type: "button", class: "hw-word-button", click, ...more }, label);
}

// Changes what a node says. Where it is cut, the pointer finds the whole.
export function setText(node, text) {
  node.textContent = text;
  node.title = text;
}

// The block and the head that are chosen, for the parts of the page that share the choice.
export function headChoice({ state, facts, update }, speaker) {
  const counting = (count) => Array.from({ length: count }, (_, i) => String(i + 1));
  const [layer, head] = [0, 1].map((i) => () => state.head?.[i] ?? 0);
  const menus = [
    select(counting(facts.layers), 0, (chosen) => update({ head: [chosen, head()] }, speaker)),
    select(counting(facts.heads), 0, (chosen) => update({ head: [layer(), chosen] }, speaker)),
  ];
  const node = h("div", { class: "hw-controls" }, ...["Block", "Head"].map((title, i) => labelled(title, menus[i])));
  return { node, show: () => ([menus[0].value, menus[1].value] = [layer(), head()]) };
}

// Whatever is wider than the page, in a box that scrolls.
export function scrolling(label, ...children) {
  return h("div", { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": label }, ...children);
}

// As many children as items, each changed to its item.
function fill(parent, items, make, change) {
  while (parent.children.length > items.length) parent.lastChild.remove();
  while (parent.children.length < items.length) parent.append(make(parent.children.length));
  items.forEach((item, i) => change(parent.children[i], item, i));
}

// Tokens of which one is chosen. show(items, chosen), items of { text, kind, p }.
export function tokenRow(label, onPick, own = "") {
  const node = h("ol", { class: `hw-tokens hw-tokens-read ${own}`, role: "radiogroup", "aria-label": label });
  const pick = (i) => {
    onPick(i);
    node.children[i].focus();
  };
  const keydown = (event) => {
    const at = [...node.children].indexOf(event.currentTarget);
    const count = node.children.length;
    const next = moved(event, [at, at], [count, count]);
    if (next) pick(next[0] === at ? next[1] : next[0]);
  };
  const make = (i) => h("li", { role: "radio", click: () => pick(i), keydown });
  const change = (item, { text, kind = "", p = 0 }, here) => {
    set(item, { "aria-checked": here, tabindex: here ? 0 : -1, class: kind, style: `--p: ${p}; --loss: 0` });
    setText(item, text);
  };
  const show = (items, chosen) => {
    fill(node, items, make, (item, given, i) => change(item, given, i === chosen));
    const [above, here] = [node, node.children[chosen]].map((one) => one.getBoundingClientRect().top);
    if (node.scrollHeight > node.clientHeight) node.scrollTop += here - above - node.clientHeight / 2;
  };
  return { node, show };
}

// A table of cells with a cursor, in `front` columns behind names and nodes that it passes over.
// show({ head: [texts], rows: [{ front: [text, node …], cells: [{ text, p, kind, says }] }], column },
// cursor), with `column` the cells' column that is marked, and p in 0 … 1 the shade of a cell.
export function grid(label, kind, front, onMove) {
  const head = h("tr", { role: "row" });
  const body = h("tbody", { role: "rowgroup" });
  const cellsOf = (row) => [...row.children].slice(front);
  let cursor = [0, 0];
  const go = ([row, column]) => {
    onMove(row, column);
    cellsOf(body.children[row])[column].focus();
  };
  const click = ({ target }) => {
    const cell = target.closest("td[aria-selected]");
    if (cell) go([[...body.children].indexOf(cell.parentNode), cellsOf(cell.parentNode).indexOf(cell)]);
  };
  const keydown = (event) => {
    const next = moved(event, cursor, [body.children.length, cellsOf(body.children[0]).length]);
    if (next) go(next);
  };
  const node = h("table", { role: "grid", class: `hw-explorer-grid ${kind}`, "aria-label": label, click, keydown }, h("thead", { role: "rowgroup" }, head), body);

  const titled = () => h("th", { scope: "col", role: "columnheader" }, h("span", {}));
  const make = (j) => (j ? h("td", { role: "gridcell" }, h("span", {})) : h("th", { scope: "row", role: "rowheader" }, h("span", {})));
  const change = (cell, { text = "", p = 0, kind: own = "", says }, here) => {
    set(cell, { tabindex: here ? 0 : -1, "aria-selected": here, style: `--p: ${p}`, class: own, title: says, "aria-label": says });
    cell.classList.toggle("hw-cursor", here);
    cell.firstChild.textContent = text;
  };

  function show({ head: names, rows, column }, [row, place]) {
    cursor = [row, place];
    fill(head, names, titled, (th, title, j) => {
      setText(th.firstChild, title);
      th.classList.toggle("hw-current", j === front + column);
    });
    fill(body, rows, () => h("tr", { role: "row" }), (tr, { front: before, cells }, i) => {
      tr.classList.toggle("hw-current", i === row);
      fill(tr, [...before, ...cells], make, (cell, given, j) => {
        if (j < front) cell.firstChild.replaceChildren(given);
        else change(cell, given, i === row && j === front + place);
        cell.classList.toggle("hw-current", j === front + column);
      });
    });
  }
  return { node, show };
}

// Rows of a name, a bar and numbers. show(rows, caption), rows of { name, p, mark, also, numbers,
// kind }, with p and the places of two marks as shares of the bar's track; take(i), if it is given, is
// what pressing a name does. `count` rows are there from the start.
export function bars(caption, heads, count, take) {
  const body = h("tbody", {});
  const told = h("caption", {}, caption);
  const titles = heads.map((name) => (name ? h("th", { scope: "col" }, name) : h("td", {})));
  const node = scrolling(caption, h("table", { class: "hw-meter-table" }, told, h("thead", {}, h("tr", {}, ...titles)), body));
  const make = (i) => {
    const marks = ["vermilion", "purple"].map((color) => h("div", { class: "hw-tick", style: `background: var(--hw-${color})` }));
    const track = h("div", { class: "hw-meter-track" }, h("div", { class: "hw-meter" }), ...marks);
    const title = take ? button("", () => take(i)) : h("span", {});
    return h("tr", {}, h("th", { scope: "row" }, title), h("td", { class: "hw-meter-cell" }, track), ...heads.slice(2).map(() => h("td", {})));
  };
  const change = (row, { name, p, mark, also, numbers, kind = "" }) => {
    const [title, bar, ...cells] = row.children;
    const [meter, ...marks] = bar.firstChild.children;
    row.className = kind;
    setText(title.firstChild, name);
    meter.style.width = `${100 * p}%`;
    [mark, also].forEach((place, i) => {
      marks[i].hidden = place == null;
      marks[i].style.left = `${100 * (place ?? 0)}%`;
    });
    cells.forEach((cell, i) => (cell.textContent = numbers[i]));
  };
  const show = (rows, about = caption) => {
    told.textContent = about;
    fill(body, rows, make, change);
  };
  show(Array(count).fill({ name: take ? "…" : "\u00a0", p: 0, numbers: heads.map(() => "") })); // a button has a name
  return { node, show };
}
