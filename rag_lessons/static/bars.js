// The board's drawings: one bar a candidate, and the strip that shows the window filling up.

const HATCH = "rl-hatch"; // every view defines it alike, so that one id serves all

function hatch() {
  const lines = svg("path", { d: "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2", class: "rl-hatch-line" });
  const pattern = svg("pattern", { id: HATCH, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    svg("rect", { width: 6, height: 6, class: "rl-hatch-ground" }), lines);
  return svg("svg", { width: 0, height: 0, class: "rl-defs", "aria-hidden": true }, svg("defs", {}, pattern));
}

const percent = (part, whole) => `${(100 * part) / (whole || 1)}%`;

// A rectangle between two places of a row of `whole`; heights in pixels.
function box(from, to, whole, y, height, name) {
  return svg("rect", { x: percent(from, whole), width: percent(to - from, whole), y, height, class: name });
}

// One candidate. `kept` holds the spans that reach the model, null if it is skipped.
function bar(row, length, kept, widest) {
  const share = row.tokens / (widest || 1);
  const place = (character) => (character / (length || 1)) * share;
  const parts = kept
    ? [box(0, share, 1, 3, 14, "rl-left-out"), ...kept.map(([s, e]) => box(place(s), place(e), 1, 3, 14, "rl-kept"))]
    : [box(0, share, 1, 3, 14, "rl-skipped")];
  const gold = row.gold.map(([s, e]) => box(place(s), place(e), 1, 18, 3, "rl-gold"));
  return [...parts, ...gold];
}

// The context window as written: texts, then what labels and joiners cost, up to the budget's line.
function strip(run, rows, budget, most) {
  const parts = [svg("rect", { width: "100%", height: 26, class: "rl-outside" }),
    box(0, budget, most, 0, 26, "rl-inside")];
  let at = 0;
  for (const [place, tokens] of run.written) {
    parts.push(box(at, at + tokens, most, 3, 20, "rl-kept rl-piece"));
    if (tokens / most > 0.018) {
      parts.push(svg("text", { x: percent(at + tokens / 2, most), y: 17, class: "rl-piece-number" }, String(place + 1)));
    }
    at += tokens;
  }
  if (run.used > at) parts.push(box(at, run.used, most, 3, 20, "rl-overhead"));
  return parts;
}

function budgetLine(budget, most) {
  const x = percent(budget, most);
  return [svg("line", { x1: x, x2: x, y1: -4, y2: 30, class: "rl-line-halo" }),
    svg("line", { x1: x, x2: x, y1: -4, y2: 30, class: "rl-line" })];
}

// What a skipped candidate would take beyond what is used.
function ghost(run, row, most) {
  const from = run.used;
  return box(from, Math.min(most, from + row.tokens), most, 3, 20, "rl-ghost");
}

// A chunk's text in stretches, each kept or not, evidence or not; offsets count code points.
function stretches(text, kept, gold) {
  const points = Array.from(text);
  const cuts = new Set([0, points.length, ...kept.flat(), ...gold.flat()]);
  const order = [...cuts].sort((a, b) => a - b);
  const inside = (spans, at) => spans.some(([s, e]) => s <= at && at < e);
  return order.slice(0, -1).map((from, i) => ({
    text: points.slice(from, order[i + 1]).join(""),
    kept: inside(kept, from),
    gold: inside(gold, from),
    opensGold: inside(gold, from) && !(i > 0 && inside(gold, order[i - 1])),
  }));
}
