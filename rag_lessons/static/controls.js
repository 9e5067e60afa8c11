// What board.js and explorer.js share: elements, native controls, and heights kept free.

const SVG = "http://www.w3.org/2000/svg";

// An element with attributes and children; a string child is text, never markup.
function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat());
  return element;
}

let controlNumber = 0; // labels need ids that no other view on the page has

// JupyterLab's own keys would otherwise take arrow keys from an element that is not a text field.
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

// Evenly spaced numbers go on the slider as they are; others by their place in the list.
function isEven(values) {
  return values.every((value, i) => value === values[0] + i * (values[1] - values[0]));
}

function makeInput(spec, id) {
  if (spec.kind === "check") {
    const input = h("input", { type: "checkbox", id, ...OWN_KEYS });
    return { input, read: () => input.checked, write: (value) => (input.checked = value) };
  }
  if (spec.kind === "select") {
    const options = spec.values.map((value, i) => h("option", { value: i }, spec.texts[i]));
    const input = h("select", { id, ...OWN_KEYS }, options);
    return {
      input,
      read: () => spec.values[input.selectedIndex],
      write: (value) => (input.selectedIndex = spec.values.indexOf(value)),
    };
  }
  const even = spec.values.length > 1 && isEven(spec.values);
  const [min, max, step] = even
    ? [spec.values[0], spec.values.at(-1), spec.values[1] - spec.values[0]]
    : [0, spec.values.length - 1, 1];
  const input = h("input", { type: "range", id, min, max, step, ...OWN_KEYS });
  const read = () => (even ? Number(input.value) : spec.values[input.value]);
  const write = (value) => (input.value = even ? value : spec.values.indexOf(value));
  return { input, read, write };
}

// A label and an input for one control; `show` writes a value on both.
function makeControl(spec, changed) {
  const id = `rl-control-${++controlNumber}`;
  const { input, read, write } = makeInput(spec, id);
  const output = spec.kind === "range" ? h("output", { for: id }) : null;
  const label = h("label", { for: id }, spec.label);
  const show = (value) => {
    write(value);
    const text = spec.texts[spec.values.indexOf(value)];
    if (output) output.textContent = text;
    if (output) input.setAttribute("aria-valuetext", text);
  };
  input.addEventListener("input", () => {
    const value = read();
    show(value);
    changed(spec.name, value);
  });
  const parts = spec.kind === "check" ? [input, label] : [label, ...(output ? [output] : []), input];
  return { spec, show, element: h("div", { class: `rl-control rl-${spec.kind}` }, parts) };
}

// Ties controls to a model: the page draws at once, then Python hears of it.
function makeControls(model, specs, draw) {
  const values = Object.fromEntries(specs.map((spec) => [spec.name, model.get(spec.name)]));
  const changed = (name, value) => {
    values[name] = value;
    draw(values, name);
    model.set(name, value);
    model.save_changes();
  };
  const controls = Object.fromEntries(specs.map((spec) => [spec.name, makeControl(spec, changed)]));
  const heard = specs.map((spec) => {
    controls[spec.name].show(values[spec.name]);
    const listener = () => {
      const value = model.get(spec.name);
      if (value === values[spec.name]) return;
      values[spec.name] = value;
      controls[spec.name].show(value);
      draw(values, spec.name);
    };
    model.on(`change:${spec.name}`, listener);
    return () => model.off(`change:${spec.name}`, listener);
  });
  return { values, controls, stop: () => heard.forEach((off) => off()) };
}

// Keep the height of the tallest of some contents, so that nothing below moves when they change.
// `write(item)` puts one into the element; measured again only when the width changes.
function keepHeight(element, items, write, restore) {
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (!element.clientWidth || element.clientWidth === width) return;
    width = element.clientWidth;
    element.style.minHeight = "";
    let tallest = 0;
    for (const item of items) {
      write(item);
      tallest = Math.max(tallest, element.offsetHeight);
    }
    element.style.minHeight = `${tallest}px`;
    restore();
  });
  observer.observe(element);
  return () => observer.disconnect();
}
