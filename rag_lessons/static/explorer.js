// A few controls, and a ready piece of HTML for each combination of their values.

function render({ model, el }) {
  const data = model.get("data");
  const stage = h("div", { class: "rl-stage" });
  const caption = h("p", { class: "rl-caption", "aria-live": "polite" });
  const controls = makeControls(model, data.controls, draw);

  function draw(values) {
    const place = data.controls.reduce(
      (sum, spec) => sum * spec.values.length + spec.values.indexOf(values[spec.name]), 0);
    const [html, words] = data.states[place];
    stage.innerHTML = data.strings[html];
    caption.textContent = data.strings[words];
  }

  const row = h("div", { class: "rl-controls" }, Object.values(controls.controls).map((c) => c.element));
  el.append(h("section", { class: "rl rl-explorer", "aria-label": data.title }, row, caption, stage));
  draw(controls.values);
  const again = () => draw(controls.values);
  const pieces = [...new Set(data.states.map((state) => state[0]))].map((i) => data.strings[i]);
  const captions = [...new Set(data.states.map((state) => state[1]))].map((i) => data.strings[i]);
  const stops = [
    keepHeight(stage, pieces, (html) => (stage.innerHTML = html), again),
    keepHeight(caption, captions, (words) => (caption.textContent = words), again),
    controls.stop,
  ];
  return () => stops.forEach((stop) => stop());
}

const view = { render };
export default view;
