// A look into a language model, from its tokens to its next word: what each head does, what the stream
// says on its way, what happens without a part. One script for a page of the book, which brings the
// answers for one text along, and for the page of `headway explore`, which asks a server.
// data: { model: { name, parameters, layers, heads, key_value_heads, width, head_width, hidden,
//                  vocabulary, context, longest, position, dtype, bytes_per_token, chat, template },
//         text, url: where questions go or null, recorded: { request as JSON: answer } }
import { h, outdated, set, stageOf, voice } from "../../../core/shared.js";
import { answers } from "./asking.js";
import { attentionPart, switchesPart } from "./attention.js";
import { machine } from "./machine.js";
import { embeddingPart, tokensPart } from "./reading.js";
import { streamPart } from "./stream.js";
import { alertLine, remark, tokenRow } from "./widgets.js";
import { counted, quoted } from "./words.js";
import { cachePart, nextPart } from "./writing.js";
import { addressed, textUpTo, whole } from "../../../core/address.js";

const WINDOW = 12; // positions that the stream is shown at
const BEFORE = 8; // of them before the word that asks, where the window is moved to it
const PAUSE = 500; // milliseconds after typing

// From where on the window is shown: where it was, if the word that asks is in it.
export function windowOf(from, at, length) {
  const start = at >= from && at < from + WINDOW ? from : at - BEFORE;
  return Math.min(Math.max(start, 0), Math.max(length - WINDOW, 0));
}

// The sizes of a model in a sentence.
export function sizes(facts) {
  const shared = facts.key_value_heads === facts.heads ? "" : ` (${facts.key_value_heads} for keys and values)`;
  const sizes = [
    `${counted(facts.layers)} blocks of ${facts.heads} heads${shared}`,
    `a stream ${counted(facts.width)} wide`,
    `${counted(facts.vocabulary)} tokens in its vocabulary`,
    `${facts.position} positions up to ${counted(facts.context)}`,
  ];
  const read = facts.longest < facts.context ? ` This page reads ${counted(facts.longest)} tokens at most.` : "";
  return ` has ${counted(facts.parameters)} parameters in ${facts.dtype}: ${sizes.join(", ")}.${read}${chats(facts)}`;
}

// What becomes of a text, where the model was trained to answer questions.
export function chats({ chat, template }) {
  if (chat) return " Your question goes into its chat template, and what you draw is the answer.";
  return template ? " It was trained for conversations, and here it continues your text as it is. To ask it questions, start headway explore with --chat." : "";
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { model: facts, text, url, recorded } = model.get("data");
    const ask = answers({ url, recorded });
    const empty = { ids: [], pieces: [], losses: [], given: 0, ended: false };
    const address = addressed(model, root, { text: textUpTo(facts.longest * 20), at: whole(facts.longest) });
    const { given } = address;
    const state = {
      ...{ text, drawn: [], off: [], ...empty, at: 0, to: 0, from: 0, until: 0, layer: facts.layers },
      ...{ head: null, measure: "previous", temperature: 1, topK: null, topP: 1, speaker: null },
    };
    let wanted = { text: (url && given.text) || text, drawn: [], off: [] };
    let asked = 0;

    const number = document.querySelectorAll(".hw-explorer").length;
    const anchor = (name) => `explorer-${number ? `${number}-` : ""}${name}`;
    const place = (name, wide = false) => ({ id: anchor(name), level: url ? "h2" : "h3", wide });
    // A question about what is read now; none before it is read.
    const about = (request) => (state.ids.length ? { ...request, text: state.text, drawn: state.drawn, off: state.off } : null);

    const field = h("textarea", { rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "off", input: typed, keydown });
    const note = alertLine();
    const back = h("button", { type: "button", class: "hw-word-button", hidden: true, click: () => ((field.value = state.text), judge("")) }, "Back to the text that is shown");
    const tokens = tokenRow("The word that asks", (at) => update({ at }, "at"));
    const asks = remark();
    const drawing = machine({ facts, anchor });
    const page = h("div", { class: "hw-explorer" });
    root.replaceChildren(page);
    const say = voice(root);
    const kit = { state, facts, ask, about, update, read, say, place };
    const parts = [tokensPart, embeddingPart, attentionPart, switchesPart, streamPart, nextPart, cachePart].map((part) => part(kit));
    const list = h("div", { class: "hw-explorer-parts" }, ...parts.map(({ node }) => node));
    field.value = wanted.text;
    page.append(
      remark(h("b", {}, facts.name), sizes(facts)),
      h("label", { style: "display: grid" }, facts.chat ? "Question" : "Text", field),
      ...[note, back, tokens.node, asks, drawing.node],
      list,
    );
    let waiting;
    read({}, note).then(() => given.at < state.ids.length && update({ at: given.at }));

    function typed() {
      clearTimeout(waiting);
      waiting = setTimeout(() => read({ text: field.value, drawn: [] }, note, "at"), PAUSE);
    }

    function keydown(event) {
      if (event.key !== "Enter" || !event.ctrlKey) return;
      clearTimeout(waiting);
      read({ text: field.value, drawn: [] }, note, "at");
    }

    // Reads what is wanted now. The page stays as it is until there is an answer; if there is none,
    // `line` says why, and where another text has been typed, what is shown no longer looks like its
    // answer.
    async function read(change, line, speaker = null) {
      const mine = ++asked;
      wanted = { ...wanted, ...change };
      set(list, { "aria-busy": true });
      try {
        const found = await ask({ ask: "tokens", ...wanted });
        if (mine !== asked) return;
        const at = "off" in change ? state.at : found.ids.length - 1;
        line.textContent = "";
        update({ ...wanted, ...found, at }, speaker);
      } catch (error) {
        if (mine !== asked) return;
        wanted = { text: state.text, drawn: state.drawn, off: state.off };
        line.textContent = error.message;
      }
      judge();
      list.removeAttribute("aria-busy");
    }

    // Whether what is shown is about the text in the field; and what to say instead of a refusal.
    function judge(said = note.textContent) {
      const other = Boolean(state.ids.length) && field.value !== state.text;
      note.textContent = said;
      back.hidden = !other;
      outdated([tokens.node, asks, drawing.node, list], other);
    }

    // What is said aloud, if anything, is the sentence of the part that is named as speaker.
    function update(change, speaker = null) {
      Object.assign(state, change, { speaker });
      state.to = Math.min("to" in change ? change.to : state.to, state.at);
      state.from = windowOf(state.from, state.at, state.ids.length);
      state.until = Math.min(state.from + WINDOW, state.ids.length);
      show();
      if (speaker) address.keep(state);
    }

    function show() {
      const { pieces, given, at } = state;
      tokens.show(pieces.map((piece, t) => ({ text: piece, kind: `${t === at ? "hw-explorer-asks" : ""} ${t < given ? "" : "hw-token-drawn"}` })), at);
      const ended = state.ended ? " The model has ended its text." : "";
      asks.textContent = `The word that asks is token ${at + 1} of ${pieces.length}, ${quoted(pieces[at])}; everything below is about it.${ended}`;
      drawing.show(state);
      parts.forEach(({ refresh }) => refresh());
      if (state.speaker === "at") say(asks.textContent);
    }
  },
};
