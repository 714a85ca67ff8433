// Predictions: a guess is compared with the answer, and the answer uncovers the output that shows
// it. Nothing is stored or sent.
(function () {
  // A number as a reader types it: "1,000", "−3", "25 %", "9/16"; NaN if it is none.
  function typed(text) {
    const plain = text.trim().replace(/−/g, "-").replace(/,(?=\d{3}(?!\d))/g, "");
    const found = /^([-+]?(?:\d+\.?\d*|\.\d+))\s*(?:\/\s*(\d+\.?\d*))?\s*(%?)$/.exec(plain);
    return found ? Number(found[1]) / Number(found[2] || 1) / (found[3] ? 100 : 1) : NaN;
  }

  function shown(number) {
    return number.toLocaleString("en-US", { maximumFractionDigits: 4 }).replace("-", "−");
  }

  function onNumber(text, right, unit, within) {
    const guess = typed(text);
    if (!Number.isFinite(guess)) return "Give a number, such as 3, 0.5 or 1/4.";
    const answer = unit ? `${shown(right)} ${unit}` : shown(right);
    const off = Math.abs(guess - right);
    if (off <= within + 1e-9) return `Right: ${answer}.`;
    const share = right ? `, ${Math.round((100 * off) / Math.abs(right))} % off` : "";
    const side = guess < right ? "low" : "high";
    return `Your ${shown(guess)} is ${shown(off)} too ${side}${share}: it is ${answer}.`;
  }

  function onChoice(guess, right) {
    return guess === right ? `Right: ${right}.` : `You chose ${guess}: it is ${right}.`;
  }

  for (const form of document.querySelectorAll("form.hw-guess")) {
    const { fold, number, unit, within, right } = form.dataset;
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const input = form.querySelector("input");
      const said = input
        ? onNumber(input.value, Number(number), unit, Number(within))
        : onChoice(event.submitter.value, right);
      form.querySelector("output").textContent = said;
      if (!said.startsWith("Give")) document.getElementById(fold).open = true;
    });
  }

  // The panel in front of an output goes when the answer is opened, and comes back with it closed.
  for (const output of document.querySelectorAll(".hw-output")) {
    const answer = document.getElementById(output.dataset.answers);
    const cover = () => output.classList.toggle("hw-covered", !answer.open);
    output.querySelector(".hw-veil button").addEventListener("click", () => (answer.open = true));
    answer.addEventListener("toggle", cover);
    cover();
  }
})();
