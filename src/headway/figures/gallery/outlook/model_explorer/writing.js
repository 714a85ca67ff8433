// The way out: the next word with its filters and draws, and the cache while the model writes.
import { filterSliders } from "../../../core/filters.js";
import { chance, h, set, show } from "../../../core/shared.js";
import { answered, keyOf } from "./asking.js";
import { alertLine, bars, button, remark, section } from "./widgets.js";
import { bytes, counted, duration, quoted } from "./words.js";

const ROWS = 12; // tokens that may come next
const SEVERAL = 10; // tokens that one button draws
const WRITTEN = 12; // tokens written with and without the cache

export function nextPart({ state, ask, about, update, read, say, place }) {
  const line = alertLine();
  const said = h("p", { class: "hw-sentence" });
  const filters = () => ({ temperature: state.temperature, top_k: state.topK, top_p: state.topP === 1 ? null : state.topP });
  const how = remark();
  const sliders = filterSliders((chosen) => update(chosen, "next"));
  let rows = [];
  const extend = (ids) => read({ drawn: [...state.drawn, ...ids] }, line, "drawn");
  const table = bars("What may come next", ["token", "", "drawn", "model", "all on"], ROWS, (i) => isLast() && rows[i] && extend([rows[i].id]));
  table.node.classList.add("hw-explorer-whole");
  const box = h("div", {}, said, table.node);
  const isLast = () => state.at === state.ids.length - 1 && !state.ended;
  let seed = 0;
  let drawing = false;

  async function draw(count) {
    if (state.ended || drawing) return;
    drawing = true;
    set(box, { "aria-busy": true });
    try {
      await extend((await ask(about({ ask: "draw", ...filters(), seed: seed++, count }))).ids);
    } catch (error) {
      line.textContent = error.message;
    }
    drawing = false;
    box.removeAttribute("aria-busy");
  }

  const draws = [button("Draw", () => draw(1)), button(`Draw ${SEVERAL}`, () => draw(SEVERAL))];
  const drawn = h("span", {});
  const back = button("Back to the text", () => state.drawn.length && read({ drawn: [] }, line, "drawn"));
  const refresh = answered({
    ...{ box, line, ask },
    needs: () => about({ ask: "next", at: state.at, ...filters() }),
    shows(answer) {
      rows = answer.rows;
      const [best] = rows;
      const mass = chance(answer.mass);
      const some = answer.kept === 1 ? `1 token can be drawn; before temperature it had ${mass}.` : `${counted(answer.kept)} tokens can be drawn; before temperature they had ${mass} together.`;
      const may = answer.kept === answer.size ? "All can be drawn." : some;
      said.textContent = `After ${quoted(state.pieces[state.at])} the likeliest of ${counted(answer.size)} tokens is ${quoted(best.piece)} (${chance(best.p)}). ${may}`;
      const shown = ({ piece, p, q, whole }) => ({
        ...{ name: piece, p: q, mark: p, also: whole },
        ...{ numbers: [chance(q), chance(p), whole == null ? "–" : chance(whole)], kind: q ? "" : "hw-meter-out" },
      });
      const marks = state.off.length ? "orange mark: the model’s own probability; purple mark: with everything on" : "mark: the model’s own probability";
      table.show(rows.map(shown), `Bar: what is drawn with; ${marks}`);
      table.node.classList.toggle("hw-explorer-whole", !state.off.length);
      table.node.style = state.off.length ? "--longest: min(13rem, 26cqw)" : ""; // one more column
      table.node.querySelectorAll("button").forEach((one) => set(one, { "aria-disabled": !isLast() }));
      if (state.speaker === "next") say(said.textContent);
      if (state.speaker === "drawn") say(`${state.pieces.slice(state.given).join("")} ${said.textContent}`.trim());
    },
  });
  const node = section(
    place("next"),
    "Next word",
    how,
    h("div", { class: "hw-controls" }, ...sliders),
    ...[box, h("div", { class: "hw-controls" }, ...draws, back, drawn), line],
  );
  return {
    node,
    refresh() {
      how.textContent = state.at === state.ids.length - 1
        ? "Press a token to append it, or draw one; drawn tokens stand on a double line above."
        : "Here the text goes on. Choose its last token to append another; a draw goes on from the end.";
      draws.forEach((one) => set(one, { "aria-disabled": state.ended }));
      const text = state.pieces.slice(state.given).join("").replaceAll("␣", " ");
      drawn.textContent = text && `Drawn: ${quoted(text)}`;
      set(back, { "aria-disabled": !state.drawn.length });
      refresh();
    },
  };
}

export function cachePart({ state, facts, ask, say, place }) {
  const line = alertLine();
  const said = remark();
  const filled = h("div", { class: "hw-meter" });
  const heads = ["tokens", "", "with", "without", "cache"];
  const table = bars("Milliseconds for each token: the bar with the cache, the mark without it", heads, WRITTEN);
  table.node.hidden = true;
  const each = `2 · ${facts.layers} blocks · ${facts.key_value_heads} heads · ${facts.head_width} numbers`;

  const empty = { name: "\u00a0", p: 0, numbers: ["", "", ""] };
  const question = () => ({ ask: "cache", text: state.text, drawn: state.drawn, count: WRITTEN });
  let written; // the question that the table answers

  const forget = () => {
    [line.textContent, said.textContent, table.node.hidden] = ["", "", true];
  };

  async function write() {
    const request = question();
    const mine = (written = keyOf(request));
    set(start, { "aria-disabled": true });
    line.textContent = "";
    said.textContent = "Writing …";
    table.show(Array(WRITTEN).fill(empty));
    table.node.hidden = false;
    try {
      const { rows } = await ask(request);
      const most = Math.max(...rows.flatMap(({ cached_ms: a, uncached_ms: b }) => [a, b]));
      const lineOf = ({ tokens, bytes: size, cached_ms: a, uncached_ms: b }) => ({ name: String(tokens), p: a / most, mark: b / most, numbers: [show(a, 1), show(b, 1), bytes(size)] });
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      for (let n = still ? rows.length : 1; n <= rows.length && mine === written; n++) {
        table.show([...rows.slice(0, n).map(lineOf), ...Array(WRITTEN - n).fill(empty)]);
        await new Promise((done) => setTimeout(done, 150));
      }
      const [a, b] = ["cached_ms", "uncached_ms"].map((name) => rows.reduce((sum, row) => sum + row[name], 0));
      if (mine === written) {
        said.textContent = `${rows.length} tokens took ${duration(a, Math.max(a, b))} with the cache and ${duration(b, Math.max(a, b))} without.`;
        say(said.textContent);
      }
    } catch (error) {
      if (mine === written) forget();
      if (mine === written) line.textContent = error.message;
    }
    set(start, { "aria-disabled": false });
  }

  const start = button(`Write ${WRITTEN} tokens both ways`, () => start.getAttribute("aria-disabled") === "true" || write());
  const memory = remark();
  const node = section(
    place("cache"),
    "Cache",
    ...[memory, h("div", { class: "hw-meter-track", "aria-hidden": "true" }, filled)],
    ...[h("div", { class: "hw-controls" }, start), said, table.node, line],
  );
  return {
    node,
    refresh() {
      if (written !== keyOf(question())) {
        written = null;
        forget();
      }
      const now = state.ids.length * facts.bytes_per_token;
      const full = facts.context * facts.bytes_per_token;
      memory.textContent = `Each token keeps ${bytes(facts.bytes_per_token)} of keys and values: ${each}. So far ${state.ids.length} tokens keep ${bytes(now)}; a full context of ${counted(facts.context)} would keep ${bytes(full)}.`;
      filled.style.width = `${(100 * now) / full}%`;
    },
  };
}
