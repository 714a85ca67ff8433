// Mounts figures on pages of the book. A classic script, so that pages opened from disk work too.
// Each figure's script calls headwayFigure(name, module) once.
window.headwayFigure = function (name, module) {
  for (const frame of document.querySelectorAll(`[data-headway-figure="${name}"]`)) {
    const data = JSON.parse(frame.querySelector("script[type='application/json']").textContent);
    const model = { get: (key) => (key === "data" ? data : undefined) };
    module.render({ model, el: frame.querySelector(".hw-stage") });
    frame.dataset.mounted = "";
  }
};
