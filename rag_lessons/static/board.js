// The budget board: looks up what the pipeline chose at a budget, and draws it. It packs nothing.

function render({ model, el }) {
  const data = model.get("data");
  const { strings, questions, most } = data;
  const lengths = new Map();
  const textLength = (i) => lengths.get(i) ?? lengths.set(i, Array.from(strings[i]).length).get(i);
  let now = null; // { side, run, budget, kept: Map row -> spans, why: Map row -> words }
  let shown = 0; // the row whose text stands in the reader

  const parts = (id) => id.split(/-(?=chunk-\d+$)/); // a chunk's id: its document, its place there
  const part = (tag, name, more = {}) => h(tag, { class: name, ...more });
  const stripSvg = svg("svg", { class: "rl-strip", height: 26, role: "img" });
  const marks = svg("svg", { class: "rl-marks", height: 6, "aria-hidden": true });
  const readout = part("p", "rl-readout", { "aria-live": "polite" });
  const aside = part("p", "rl-aside");
  const list = part("ol", "rl-rows", { "aria-label": "Candidates in rank order" });
  const reader = part("div", "rl-text", { tabindex: 0, role: "region", "aria-label": "Text of a candidate", ...OWN_KEYS });
  const readerTitle = part("p", "rl-text-title");
  const readerFate = part("p", "rl-text-fate");
  const answer = part("p", "rl-answer");
  const verdict = part("p", "rl-verdict");
  const where = part("ul", "rl-where");
  let rows = [];
  let widest = 1; // tokens of the longest bar

  const controls = makeControls(model, data.controls, draw);
  const element = (name) => controls.controls[name].element;

  function lookUp({ question, neighbours, policy, budget }) {
    const side = questions[question][neighbours ? "on" : "off"];
    const runs = side.runs[policy];
    const run = runs.findLast((candidate) => candidate.from <= budget);
    const words = (template) => strings[template]
      .replace("{left}", budget - run.used)
      .replace(/\{budget(-\d+)?\}/g, (_, less) => budget + Number(less ?? 0));
    const why = new Map(run.why.map(([row, template]) => [row, words(template)]));
    return { side, runs, run, budget, kept: new Map(run.kept), why };
  }

  const listing = (question) => where.replaceChildren(...question.where.map((i) => h("li", {}, strings[i])));
  const said = (used, budget, kept, skipped) => `${used} of ${budget} tokens used, ${kept} included, ${skipped} skipped`;

  function judged(question, run) {
    if (!question.where.length) return "No evidence is known for this question.";
    const words = strings[run.verdict];
    const shares = `${run.reached} % of it is in the context, ${run.found} % among the candidates.`;
    return `${words[0].toUpperCase()}${words.slice(1)}: ${shares}`;
  }

  function fate(i) {
    const kept = now.kept.get(i);
    if (!kept) return `skipped: ${now.why.get(i)}`;
    const length = textLength(now.side.rows[i].text);
    const characters = kept.reduce((sum, [s, e]) => sum + e - s, 0);
    return characters === length ? "included" : `included: ${characters} of ${length} characters`;
  }

  // Why a candidate is one; a neighbour names its hit by rank.
  function reason(row) {
    const words = strings[row.reason];
    const of = words.indexOf(" of ");
    const hit = of < 0 ? -1 : now.side.rows.findIndex((other) => strings[other.id] === words.slice(of + 4));
    return hit < 0 ? words : `${words.slice(0, of)} of rank ${hit + 1}`;
  }

  function makeRow(row, i) {
    const [name, chunk] = parts(strings[row.id]);
    const drawing = svg("svg", { class: "rl-bar", height: 22, "aria-hidden": true });
    const words = part("span", "rl-fate");
    const button = h("button", { type: "button", class: "rl-row", "data-row": i, ...OWN_KEYS },
      h("span", { class: "rl-rank" }, String(i + 1)),
      h("span", { class: "rl-name" },
        h("span", { class: "rl-id" }, name),
        h("span", { class: "rl-kind" },
          row.gold.length ? h("b", { class: "rl-evidence" }, h("i", { class: "rl-diamond" }, "◆"), " evidence") : "",
          `${chunk}, ${reason(row).split(" of ")[0]}`)),
      drawing, h("span", { class: "rl-tokens" }, String(row.tokens)), words);
    const read = () => { shown = i; drawReader(); };
    button.addEventListener("pointerenter", read);
    button.addEventListener("focus", read);
    button.addEventListener("click", read);
    return { row, button, drawing, words, item: h("li", {}, button) };
  }

  function drawRow({ row, button, drawing, words }, i) {
    const text = fate(i);
    drawing.replaceChildren(...bar(row, textLength(row.text), now.kept.get(i), widest));
    button.classList.toggle("rl-is-kept", now.kept.has(i));
    words.textContent = now.kept.has(i) ? `✓ ${text}` : now.why.get(i);
    const gold = row.gold.length ? ", holds evidence" : "";
    button.setAttribute("aria-label", `Rank ${i + 1}, ${strings[row.id]}, ${row.tokens} tokens, ${text}${gold}`);
  }

  function drawReader() {
    rows.forEach(({ button }, i) => button.classList.toggle("rl-is-read", i === shown));
    const row = now.side.rows[shown];
    const isSkipped = row && !now.kept.has(shown);
    stripSvg.replaceChildren(...strip(now.run, now.side.rows, now.budget, most),
      ...(isSkipped ? [ghost(now.run, row, most)] : []), ...budgetLine(now.budget, most));
    readerTitle.textContent = row ? `Rank ${shown + 1}, ${parts(strings[row.id]).reverse().join(" of ")}` : "No candidate to read";
    readerFate.textContent = row ? `${reason(row)}; ${fate(shown)}` : "";
    const pieces = row ? stretches(strings[row.text], now.kept.get(shown) ?? [], row.gold) : [];
    reader.replaceChildren(...pieces.map(({ text, kept, gold, opensGold }) => {
      const mark = opensGold ? [h("span", { class: "rl-diamond" }, "◆ ")] : [];
      return h(gold ? "u" : "span", { class: kept ? "rl-read-kept" : "rl-read-left" }, ...mark, text);
    }));
  }

  function draw(values, changed) {
    now = lookUp(values);
    const { side, run, runs, budget } = now;
    if (changed !== "budget" && changed !== "policy") {
      shown = 0;
      widest = Math.max(1, ...side.rows.map(({ tokens }) => tokens));
      rows = side.rows.map(makeRow);
      list.replaceChildren(...(rows.length ? rows.map(({ item }) => item)
        : [h("li", { class: "rl-nothing" }, `No candidates: ${strings[side.note]}.`)]));
      listing(questions[values.question]);
    }
    if (changed !== "budget") {
      marks.replaceChildren(...runs.slice(1).map(({ from }) => box(from, from, most, 0, 6, "rl-mark")));
      for (const mark of marks.children) mark.setAttribute("width", 1);
    }
    rows.forEach(drawRow);
    const skipped = side.rows.length - run.kept.length;
    readout.textContent = said(run.used, budget, run.kept.length, skipped);
    aside.textContent = `Written out, with what joins the pieces: ${run.context} tokens`;
    const order = run.written.map(([place]) => place + 1).join(", ");
    stripSvg.setAttribute("aria-label", `Context window: ${run.used} of ${budget} tokens; ranks as written: ${order || "none"}`);
    answer.textContent = strings[run.answer];
    verdict.textContent = judged(questions[values.question], run);
    drawReader();
  }

  const key = (drawing, words) => h("span", { class: "rl-key" }, drawing, words);
  const patch = (name) => svg("svg", { width: 18, height: 12, "aria-hidden": true }, svg("rect", { width: 18, height: 12, class: name }));
  const legend = h("p", { class: "rl-legend" },
    key(patch("rl-kept"), "included"), key(patch("rl-left-out"), "left out of an included chunk"), key(patch("rl-skipped"), "skipped"),
    key(patch("rl-overhead"), "labels and joiners, of all pieces"), key(h("span", { class: "rl-diamond" }, "◆"), "holds evidence"), key(h("span", { class: "rl-line-key" }), "budget"),
    h("span", {}, "Above: the context as written, its pieces numbered by rank."));
  const axis = h("div", { class: "rl-axis", "aria-hidden": true },
    data.ticks.map((tick) => h("span", { style: `left:${percent(tick, most)}` }, String(tick))));
  const heading = (words) => h("h4", {}, words);

  const all = questions.flatMap((question) => [question.on, question.off]);
  const mostRows = Math.max(1, ...all.map((side) => side.rows.length));
  const runsOf = (side) => Object.values(side.runs).flat();
  const everyRun = all.flatMap(runsOf);
  aside.hidden = everyRun.every((run) => run.context === run.used);
  list.style.setProperty("--rl-most-rows", mostRows);

  const told = [h("div", {}, heading("Answer"), answer), h("div", {}, heading("Evidence"), verdict, where)];
  el.append(h("section", { class: "rl rl-board", "aria-label": data.title }, hatch(),
    h("div", { class: "rl-controls" }, element("question"), element("policy"), element("neighbours")),
    element("budget"), h("div", { class: "rl-window" }, marks, stripSvg, axis), readout, aside,
    h("div", { class: mostRows > 12 ? "rl-body" : "rl-body rl-short" },
      h("div", { class: "rl-main" }, list, legend),
      h("div", { class: "rl-beside" }, readerTitle, readerFate, reader),
      h("div", { class: "rl-told" }, told)),
    h("p", { class: "rl-foot" }, data.foot)));
  draw(controls.values);

  const again = () => draw(controls.values, "budget");
  const put = (element) => (words) => (element.textContent = words);
  const verdicts = questions.flatMap((q) => [q.on, q.off].flatMap(runsOf).map((run) => judged(q, run)));
  const stops = [
    keepHeight(readout, [said(most, most, mostRows, mostRows)], put(readout), again),
    keepHeight(answer, new Set(everyRun.map((run) => strings[run.answer])), put(answer), again),
    keepHeight(verdict, new Set(verdicts), put(verdict), again),
    keepHeight(where, questions, listing, () => listing(questions[controls.values.question])),
    controls.stop,
  ];
  return () => stops.forEach((stop) => stop());
}

const view = { render };
export default view;
