// Mounts figures on pages of the book. A classic script, so that pages opened from disk work too.
// Each figure's script calls headwayFigure(name, module) once. What is attached to a figure lies in
// a script of its own beside this one, added when it is asked for first, which calls
// headwayAttached(name, data).
(function () {
  const attached = {};
  const besides = new URL("attached/", document.currentScript.src);

  function fetched(name) {
    attached[name] ??= {};
    attached[name].promise ??= new Promise((done, failed) => {
      attached[name].done = done;
      const script = document.createElement("script");
      const error = () => failed(new Error(`${script.src} could not be loaded`));
      Object.assign(script, { src: new URL(`${name}.js`, besides), onerror: error });
      document.head.append(script);
    });
    return attached[name].promise;
  }

  window.headwayAttached = (name, data) => attached[name].done(data);
  window.headwayFigure = function (name, module) {
    for (const frame of document.querySelectorAll(`[data-headway-figure="${name}"]`)) {
      const data = JSON.parse(frame.querySelector("script[type='application/json']").textContent);
      const file = frame.querySelector("script[data-name]")?.dataset.name;
      const model = {
        get: (key) => (key === "data" ? data : undefined),
        attached: () => fetched(file),
      };
      module.render({ model, el: frame.querySelector(".hw-stage") });
      frame.dataset.mounted = "";
    }
  };
})();
