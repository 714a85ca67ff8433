// The machine with this model's numbers: each box a link to its part of the page, and a strip of all
// blocks in which what is switched off is crossed out.
import { h, set } from "../../../core/shared.js";
import { counted, partName, works } from "./words.js";

const [WIDE, TALL, GAP] = [9, 12, 3]; // of a cell in the strip, in units of the drawing

export function machine({ facts, anchor }) {
  const box = (name, small, to, more = {}) => h("li", more, h("a", { href: `#${anchor(to)}` }, h("b", {}, name), h("small", {}, small)));
  const last = { class: "hw-explorer-last" };
  const colors = (...parts) => ({ style: `--colors: ${parts.map((part) => part.replace(/^\w+/, "var(--hw-$&)")).join(", ")}` });
  const tokens = box("Tokens", `0 of at most ${counted(facts.longest)}`, "tokens");
  const length = facts.layers * (WIDE + GAP);
  const strip = h("svg", { viewBox: `-1 -1 ${length + 2} ${2 * TALL + GAP + 2}`, role: "img", style: `width: 100%; max-width: ${2 * length}px; margin: auto; fill: var(--hw-paper); stroke: var(--hw-edge)` });
  const block = h(
    "li",
    { class: "hw-explorer-block" },
    h(
      "ol",
      {},
      box("Attention", `${facts.heads} heads`, "attention", colors("query 33%", "key 33% 67%", "value 67%")),
      box("Feed-forward", `${counted(facts.hidden)} wide`, "switches", last),
      box("Cache", "keys, values", "cache", { ...colors("key 50%", "value 50%"), ...last }),
    ),
    strip,
    h("small", {}, `${facts.layers} blocks, one after the other: attention above, feed-forward below`),
  );
  const ends = [box("Logits", counted(facts.vocabulary), "stream"), box("Next word", "probabilities", "next"), box("Choice", "one is drawn", "next", last)];
  const path = h("ol", {}, tokens, box("Embedding", `${counted(facts.vocabulary)} × ${counted(facts.width)}`, "embedding"), block, ...ends);
  const node = h("nav", { class: "hw-explorer-machine", "aria-label": "The machine; each part leads to its place on this page" }, path);

  // pieces: how many tokens are read; off: what is switched off; head: the chosen one, if any.
  function show({ pieces, off, head }) {
    tokens.querySelector("small").textContent = `${pieces.length} of at most ${counted(facts.longest)}`;
    const cells = Array.from({ length: facts.layers }, (_, layer) => {
      const x = layer * (WIDE + GAP) + GAP / 2;
      const heads = Array.from({ length: facts.heads }, (_, i) => works(off, layer, `h${i}`));
      const cell = (y, kind, some, all) => [
        h("rect", { x, y, width: WIDE, height: TALL, rx: 1.5, class: `hw-explorer-${kind}` }),
        some ? null : h("path", { d: `M${x} ${y + TALL}l${WIDE} ${-TALL}${all ? "" : `M${x} ${y}l${WIDE} ${TALL}`}` }),
      ];
      const chosen = head?.[0] === layer;
      return h(
        "g",
        { class: chosen ? "hw-explorer-chosen" : null },
        ...cell(0, "attention", heads.every(Boolean), heads.some(Boolean)),
        ...cell(TALL + GAP, "feed-forward", works(off, layer, "feed-forward"), false),
      );
    });
    strip.replaceChildren(...cells);
    set(strip, { "aria-label": off.length ? `Switched off: ${off.map(partName).join(", ")}` : "Nothing is switched off" });
  }
  return { node, show };
}
