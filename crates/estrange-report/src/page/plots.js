// Plots: small panels, one a category, drawn as wide as they are shown so that their letters keep their size.

const HEIGHT = 210;
const MARGIN = { top: 10, right: 8, bottom: 24, left: 32 };

function showPlots() {
  const label = data.measures[state.measure]?.label ?? "";
  byId("bars-title").textContent = `${label} by setting`;
  const of = chosen === null ? "all queries" : `the ${counted(chosenCount)} chosen queries`;
  byId("bars-note").textContent = `Mean over ${of}; whiskers show the interval at ${decimals(100 * data.confidence, 0)}% confidence.`;
  byId("curves-title").textContent = `What is left of ${label}`;
  byId("legend").replaceChildren(...data.models.map((name, model) => make("span", { class: `m${model % 8}` },
    make("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, mark(model, 0, 0, 6)), name)));
  const panels = [...categories].map(([name, corpora]) => ({ name, series: seriesOf(corpora) }));
  showPanels(byId("bars"), panels.filter((panel) => panel.series.some((each) => each.mean)), drawBars);
  showPanels(byId("curves"), panels.filter((panel) => panel.series.some((each) => each.left && !each.original)), drawCurves);
}

// Each model's values in each setting of a category, in the chosen measure.
function seriesOf(corpora) {
  return corpora.flatMap((corpus, slot) => data.models.map((_, model) => {
    const result = resultOf(model, corpus, state.measure);
    const setting = data.settings[data.corpora[corpus].setting];
    const now = result ? mean(result) : null;
    const share = !result ? null : setting.original ? now && { value: 1 } : left(result);
    return { slot, model, setting, original: setting.original, mean: now, left: share };
  }));
}

function showPanels(box, panels, draw) {
  // As many columns as the style sheet makes: 22rem wide at least, 2rem apart.
  const columns = Math.max(1, Math.floor((box.clientWidth + 32) / (352 + 32)));
  const width = Math.max(240, (box.clientWidth - 32 * (columns - 1)) / columns);
  box.replaceChildren(...panels.map((panel) => make("figure", { class: "panel" }, make("figcaption", {}, panel.name), draw(panel, width))));
}

function frame(panel, width, top, slots) {
  const svg = make("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": spoken(panel) });
  const y = (value) => HEIGHT - MARGIN.bottom - value / top * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const slotWidth = (width - MARGIN.left - MARGIN.right) / slots.length;
  const x = (slot) => MARGIN.left + (slot + 0.5) * slotWidth;
  for (let value = 0; value <= top + 1e-9; value += 0.25) {
    const kind = value === 0 ? "axis" : "grid";
    svg.append(make("line", { class: kind, x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) }));
    svg.append(make("text", { x: MARGIN.left - 6, y: y(value) + 4, "text-anchor": "end" }, String(Math.round(100 * value))));
  }
  const fits = slots.every((setting) => setting.name.length * 6.8 < slotWidth);
  slots.forEach((setting, slot) => {
    svg.append(make("text", { x: x(slot), y: HEIGHT - 8, "text-anchor": "middle" }, fits ? setting.name : setting.short, make("title", {}, setting.name)));
  });
  return { svg, x, y, slotWidth };
}

function slotsOf(panel) {
  const slots = [];
  for (const each of panel.series) slots[each.slot] = each.setting;
  return slots;
}

function drawBars(panel, width) {
  const slots = slotsOf(panel);
  const { svg, x, y, slotWidth } = frame(panel, width, 1, slots);
  const barWidth = Math.min(22, slotWidth * 0.84 / data.models.length);
  for (const each of panel.series) {
    if (!each.mean) continue;
    const start = x(each.slot) + (each.model - data.models.length / 2) * barWidth;
    const middle = start + barWidth / 2;
    const { value, low, high } = each.mean;
    const cap = Math.min(3, barWidth / 4);
    svg.append(make("g", { class: `m${each.model % 8}` },
      make("title", {}, `${data.models[each.model]}, ${each.setting.name}: ${decimals(100 * value, 2)} (${span(each.mean, 1)})`),
      make("rect", { class: "bar", x: start + 0.5, width: Math.max(1, barWidth - 1), y: y(value), height: Math.max(0, y(0) - y(value)) }),
      make("path", { class: "whisker", d: `M${middle - cap} ${y(high)}h${2 * cap}M${middle} ${y(high)}V${y(low)}M${middle - cap} ${y(low)}h${2 * cap}` })));
  }
  return svg;
}

function drawCurves(panel, width) {
  const slots = slotsOf(panel);
  const most = Math.max(1, ...panel.series.map((each) => each.left?.value ?? 0));
  const { svg, x, y } = frame(panel, width, Math.min(2, Math.ceil(most * 4 - 1e-9) / 4), slots);
  data.models.forEach((name, model) => {
    const points = panel.series.filter((each) => each.model === model && each.left);
    if (points.length === 0) return;
    const group = make("g", { class: `m${model % 8}` });
    group.append(make("path", { class: "line", d: points.map((each, place) => `${place ? "L" : "M"}${x(each.slot)} ${y(Math.min(2, each.left.value))}`).join("") }));
    for (const each of points) {
      const title = make("title", {}, `${name}, ${each.setting.name}: ${decimals(100 * each.left.value, 1)}% left`);
      const shape = mark(model, x(each.slot), y(Math.min(2, each.left.value)), 5);
      shape.append(title);
      group.append(shape);
    }
    svg.append(group);
  });
  return svg;
}

// Each model has a shape of its own besides its colour.
function mark(model, x, y, size) {
  const shapes = [
    `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0z`,
    `M${x - size * 0.9} ${y - size * 0.9}h${size * 1.8}v${size * 1.8}h${-size * 1.8}z`,
    `M${x} ${y - size * 1.1}l${size * 1.1} ${size * 2}h${-size * 2.2}z`,
    `M${x} ${y - size * 1.25}l${size * 1.25} ${size * 1.25}l${-size * 1.25} ${size * 1.25}l${-size * 1.25} ${-size * 1.25}z`,
  ];
  return make("path", { class: "mark", d: shapes[model % shapes.length] });
}

// The panel for those who cannot see it.
function spoken(panel) {
  const values = panel.series.filter((each) => each.mean);
  return `${panel.name}: ` + values.map((each) => `${data.models[each.model]} ${each.setting.name} ${decimals(100 * each.mean.value, 1)}`).join(", ");
}
