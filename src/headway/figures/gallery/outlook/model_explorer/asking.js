// Questions about a model, and who answers them: a server, or what was recorded for one text.

const NOT_RECORDED = "This page knows one text. `headway explore` answers for any.";
const UNREACHED = "There is no answer from `headway explore`. Is it still running in its terminal?";

// A request by its content: JSON with the names in order. Of none it is null.
export function keyOf(request) {
  return request && JSON.stringify(request, Object.keys(request).sort());
}

// → ask(request), a promise of the answer. It fails with a sentence for the reader.
export function answers({ url, recorded }) {
  const known = new Map(Object.entries(recorded ?? {}));
  return async (request) => {
    const key = keyOf(request);
    if (known.has(key)) return known.get(key);
    if (!url) throw new Error(NOT_RECORDED);
    const answer = posted(url, key);
    if (request.ask === "cache") return answer; // what is measured is measured anew
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer;
  };
}

async function posted(url, body) {
  const headers = { "Content-Type": "application/json" };
  let answer;
  try {
    answer = await (await fetch(url, { method: "POST", headers, body })).json();
  } catch {
    throw new Error(UNREACHED);
  }
  if (answer.error) throw new Error(answer.error);
  return answer;
}

// Keeps `box` answered: once its section has come into view, refresh() asks what needs() wants now, and
// shows(answer) draws it, also if it is the answer that is there already. While one question is on its
// way no other is asked, and an answer that is no longer wanted is not shown. If there is none, the
// box is emptied to the eye and `line` says why.
export function answered({ box, line, ask, needs, shows }) {
  let seen = !globalThis.IntersectionObserver;
  let watch;
  let running = false;
  let last = {};

  async function refresh() {
    if (!seen) look();
    if (!seen || running) return;
    running = true;
    let key = keyOf(needs());
    while (key && !(key === last.key && last.answer)) {
      box.setAttribute("aria-busy", "true");
      const result = await ask(JSON.parse(key)).then((answer) => ({ answer }), (error) => ({ error }));
      last = { key, ...result };
      key = keyOf(needs());
      if (key === last.key) break;
    }
    running = false;
    box.removeAttribute("aria-busy");
    box.classList.toggle("hw-explorer-unanswered", Boolean(last.error));
    line.textContent = last.error?.message ?? "";
    if (last.answer) shows(last.answer);
  }

  // The section, since a box below a tall table comes late, and one on the page is watched once.
  function look() {
    if (watch) return;
    watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      seen = true;
      refresh();
    }, { rootMargin: "200px" });
    watch.observe(box.closest("section"));
  }
  return refresh;
}
