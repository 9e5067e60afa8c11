// A saved page has no kernel: this stands in for the model that a notebook would lend the view.

function pageModel(values) {
  const listeners = {};
  return {
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
      (listeners[`change:${name}`] ?? []).forEach((listener) => listener());
    },
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off: (event, listener) => (listeners[event] = listeners[event].filter((other) => other !== listener)),
    save_changes: () => {},
  };
}

const stored = JSON.parse(document.getElementById("rl-values").textContent);
view.render({ model: pageModel(stored), el: document.getElementById("rl-view") });
