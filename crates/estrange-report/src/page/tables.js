// Tables: written in the page for all queries; computed again for the part that a filter leaves.

const tables = [...document.querySelectorAll("#tables figure.table")].map((figure) => ({
  figure,
  marksBest: figure.querySelector("td b") !== null,
  cells: [...figure.querySelectorAll("td[data-result]")].map((cell) => ({
    cell,
    html: cell.innerHTML,
    result: data.results[Number(cell.dataset.result)],
    part: { mean, drop, left }[cell.dataset.part],
    digits: Number(cell.dataset.digits),
    row: cell.closest("tbody"),
    column: cell.cellIndex,
  })),
}));

const keptAll = data.results.every((result) => result.scores !== null);

const headlineCells = [...document.querySelectorAll("#headline td")].map((cell) => ({ cell, html: cell.innerHTML, style: cell.style.cssText }));

function showTables() {
  tables.forEach(showTable);
  showHeadline();
  document.body.classList.toggle("plain", state.plain);
  const note = byId("filtered");
  note.hidden = chosen === null;
  note.textContent = chosen === null ? "" :
    `Computed again for the ${counted(chosenCount)} chosen of ${counted(data.queries)} queries. Where only a part of a corpus is left, intervals are the mean ± ${decimals(reach, 2)} standard errors. Faded tables are of all queries.${keptAll ? "" : " Results whose scores were not kept query by query are left out."}`;
}

function showTable(table) {
  table.figure.classList.toggle("stale", chosen !== null && table.cells.length === 0);
  if (chosen === null) {
    for (const each of table.cells) each.cell.innerHTML = each.html;
    for (const each of table.cells) each.row.hidden = false;
    return;
  }
  const rows = new Map();
  const columns = new Map();
  for (const each of table.cells) {
    const found = each.part(each.result);
    each.text = found ? decimals(100 * found.value, each.digits) : null;
    const bounds = found && "low" in found ? make("small", {}, span(found, each.digits - 1)) : "";
    each.cell.replaceChildren(each.text ?? "–", bounds);
    rows.set(each.row, (rows.get(each.row) ?? false) || found !== null);
    if (found) {
      if (!columns.has(each.row)) columns.set(each.row, new Map());
      const column = columns.get(each.row);
      column.set(each.column, [...(column.get(each.column) ?? []), { ...each, value: found.value }]);
    }
  }
  for (const [row, hasValue] of rows) row.hidden = !hasValue;
  if (table.marksBest) {
    for (const column of columns.values()) for (const cells of column.values()) markBest(cells);
  }
}

function markBest(cells) {
  if (cells.length < 2) return;
  const best = decimals(100 * Math.max(...cells.map((each) => each.value)), cells[0].digits);
  for (const each of cells) {
    if (each.text === best) each.cell.firstChild.replaceWith(make("b", {}, each.text));
  }
}

function span(found, digits) {
  return `${decimals(100 * found.low, digits)}\u202f–\u202f${decimals(100 * found.high, digits)}`;
}

function showHeadline() {
  for (const { cell, html, style } of headlineCells) {
    cell.style.cssText = style;
    if (chosen === null) {
      cell.innerHTML = html;
      continue;
    }
    const model = Number(cell.dataset.model);
    if (cell.dataset.setting === undefined) {
      const value = standardMean(model);
      cell.textContent = value === null ? "–" : decimals(100 * value, 2);
    } else {
      const lost = loss(model, Number(cell.dataset.setting));
      cell.textContent = lost === null ? "–" : (lost < -0.0005 ? "+" : "") + decimals(-100 * lost, 1) + "%";
      cell.style.setProperty("--loss", Math.min(1, Math.max(0, lost ?? 0)).toFixed(3));
    }
  }
}
