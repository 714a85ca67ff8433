// A product of matrices, cell by cell: the row and the column that meet, and their sum.
// data: { products: [{ name, left, right, out, divisor, divided }], start: [row, column] }
// a matrix: { name, role, values: [R][C], rows: [R] or [], columns: [C] or [], digits }
import { addressed, whole } from "../../../core/address.js";
import { walk } from "../../../core/grid.js";
import { h, labelled, select, stageOf, voice } from "../../../core/shared.js";

// A number with all its digits and a real minus sign.
export function fixed(value, digits) {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

// The row of `left` and the column of `right` that meet, number by number, and what comes out.
export function sum({ left, right, out, divided }, row, column) {
  const guarded = (text) => (text.startsWith("−") ? `(${text})` : text);
  const pairs = left.values[row].map((x, k) => {
    const first = fixed(x, left.digits);
    return `${k ? guarded(first) : first} · ${guarded(fixed(right.values[k][column], right.digits))}`;
  });
  const added = pairs.join(" + ");
  const found = fixed(out.values[row][column], out.digits);
  return divided ? `(${added}) / ${divided} = ${found}` : `${added} = ${found}`;
}

// The cell `by` cells further in reading order, within the matrix.
export function further([row, column], by, { values }) {
  const wide = values[0].length;
  const last = values.length * wide - 1;
  const place = Math.min(Math.max(row * wide + column + by, 0), last);
  return [Math.floor(place / wide), place % wide];
}

const named = (names, place) => (names.length ? `“${names[place]}”` : String(place + 1));

const lowered = (name) => {
  const [base, index] = name.split("_");
  return index ? [base, h("sub", {}, index)] : [base];
};

function table(matrix, attributes, cells) {
  const { name, values, rows, columns, role } = matrix;
  const shape = ` (${values.length}, ${values[0].length})`;
  const head = columns.length
    ? h("thead", {}, h("tr", {}, rows.length ? h("td", {}) : null, ...columns.map((x) => h("th", { scope: "col" }, x))))
    : null;
  const lines = cells.map((line, r) =>
    h("tr", {}, rows.length ? h("th", { scope: "row" }, rows[r]) : null, ...line),
  );
  return h(
    "table",
    { ...attributes, class: `hw-matrix hw-role-${role} ${attributes.class || ""}` },
    h("caption", {}, ...lowered(name), shape),
    head,
    h("tbody", {}, ...lines),
  );
}

function cellsOf({ values, digits }, attributes) {
  const most = Math.max(...values.flat().map(Math.abs), 1e-12);
  return values.map((line, r) =>
    line.map((x, c) => {
      const cell = h("td", attributes(r, c), fixed(x, digits));
      cell.style.setProperty("--p", Math.abs(x) / most);
      cell.classList.toggle("hw-minus", x < 0);
      return cell;
    }),
  );
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { products, start } = model.get("data");
    const address = addressed(model, root, { product: whole(products.length), row: whole(100), column: whole(100) });
    const state = { product: 0, cell: start };
    take(address.given);
    let cells;

    const menu = select(products.map(({ name }) => name), state.product, (i) => {
      state.product = i;
      build();
      go([0, 0]);
    });
    const step = (label, by) =>
      h("button", { type: "button", class: "hw-word-button", click: () => go(further(state.cell, by, now().out)) }, label);
    const buttons = [step("Back", -1), step("Next cell", 1)];
    const terms = h("div", { class: "hw-terms" });
    const stand = walk(terms, () => cells.out, (row, column) => go([row, column]));
    const said = h("p", { class: "hw-product-sum" });
    const choice = products.length > 1 ? labelled("Product", menu) : null;

    root.replaceChildren(h("div", { class: "hw-controls hw-wide" }, choice, ...buttons), terms, said);
    const say = voice(root);
    build();

    function now() {
      return products[state.product];
    }

    function build() {
      const { left, right, out, divided } = now();
      cells = {
        left: cellsOf(left, () => ({})),
        right: cellsOf(right, () => ({})),
        out: cellsOf(out, (r, c) => ({ click: () => go([r, c]) })),
      };
      const term = (sign, name, node) =>
        h(
          "div",
          { class: "hw-term" },
          sign ? h("span", { class: "hw-sign" }, sign) : null,
          h("div", { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": `${name} as a table` }, node),
        );
      terms.replaceChildren(
        term("", left.name, table(left, {}, cells.left)),
        term("@", right.name, table(right, {}, cells.right)),
        term(divided ? `/ ${divided} =` : "=", out.name, table(out, { class: "hw-product-out" }, cells.out)),
      );
      light();
    }

    function go(cell) {
      state.cell = cell;
      say(light());
      address.keep({ product: state.product, row: cell[0], column: cell[1] });
    }

    // The cell that an address names, if the product has it.
    function take({ product = 0, row, column }) {
      const { values } = products[product].out;
      if (row < values.length && column < values[0].length) Object.assign(state, { product, cell: [row, column] });
    }

    // Marks what meets, and says it.
    function light() {
      const { left, right, out } = now();
      const [row, column] = state.cell;
      cells.left.forEach((line, r) => line[0].parentNode.classList.toggle("hw-lit", r === row));
      cells.right.forEach((line) => line.forEach((cell, c) => cell.classList.toggle("hw-lit", c === column)));
      cells.out.forEach((line, r) =>
        line.forEach((cell, c) => {
          const here = r === row && c === column;
          cell.classList.toggle("hw-lit", here);
        }),
      );
      stand(row, column);
      buttons[0].disabled = row + column === 0;
      buttons[1].disabled = row === out.values.length - 1 && column === out.values[0].length - 1;
      said.textContent =
        `Row ${named(left.rows, row)} of ${left.name} meets column ${named(right.columns, column)} ` +
        `of ${right.name}: ${sum(now(), row, column)}`;
      return said.textContent;
    }
  },
};
