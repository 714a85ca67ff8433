// What can be known only once the page is laid out: what is wider than the column is made smaller.
// The title says that everything is ready; the program that prints waits for it, and checks it.
(async function () {
  const LEAST = 0.45;
  const PAGE = 251 * (96 / 25.4); // the height of the text on a page, as in paper.css
  const wide = ":is(table, div.math .katex, .hw-zoom, .hw-terms)";

  function fit(element) {
    const box = element.parentElement.getBoundingClientRect().width;
    const own = Math.max(element.scrollWidth, element.getBoundingClientRect().width);
    if (own > box + 1) element.style.zoom = Math.max(LEAST, box / own);
  }

  // A line above a narrow table may reach beyond it.
  function stretch(caption) {
    const column = caption.closest("table").parentElement.getBoundingClientRect().width;
    caption.style.whiteSpace = "nowrap";
    if (caption.scrollWidth > column) caption.style.whiteSpace = "";
  }

  // What is low stays whole; what is high may be cut, or it would leave half a page empty.
  function keepWhole(element) {
    const most = element.matches(".hw-claim") ? 0.8 : 0.42;
    if (element.getBoundingClientRect().height < most * PAGE) element.classList.add("hw-whole");
  }

  function allowCut(figure) {
    if (figure.getBoundingClientRect().height > 0.8 * PAGE) figure.classList.add("hw-cut");
  }

  await document.fonts.ready;
  document.querySelectorAll(".hw-tabular caption").forEach(stretch);
  document.querySelectorAll(wide).forEach(fit);
  document.querySelectorAll("pre, table, .hw-claim, .hw-tabular").forEach(keepWhole);
  document.querySelectorAll("figure").forEach(allowCut);
  document.title = document.body.dataset.ready;
})();
