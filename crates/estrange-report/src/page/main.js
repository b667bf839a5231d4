// Puts the parts together: the filters, and what is drawn again when something is chosen.

function showAll() {
  choose();
  showTables();
  if (data.results.length > 0) showPlots();
  showList();
  showQuery();
  const all = counted(data.queries);
  byId("chosen-count").textContent = chosen === null ? `all ${all} queries` : `${counted(chosenCount)} of ${all} queries`;
}

function changed() {
  writeAddress();
  showAll();
}

// The controls say what the state says.
function showControls() {
  for (const select of byId("filters").querySelectorAll("select[data-facet]")) {
    select.value = state.facets[select.dataset.facet] ?? "";
    select.classList.toggle("active", select.value !== "");
  }
  byId("measure").value = String(state.measure);
  byId("intervals").checked = !state.plain;
  byId("find").value = state.find;
  byId("order").value = state.order;
}

function makeFilters() {
  const facets = data.facets.map((facet) => make("label", {}, facet.label,
    make("select", { "data-facet": facet.name, onchange: (event) => {
      if (event.target.value === "") delete state.facets[facet.name];
      else state.facets[facet.name] = event.target.value;
      showControls();
      changed();
    } }, make("option", { value: "" }, "all"), ...facet.values.map((value) => make("option", { value }, value || "unknown")))));
  const measure = make("label", {}, "Plots show",
    make("select", { id: "measure", onchange: (event) => { state.measure = Number(event.target.value); changed(); } },
      ...data.measures.map(({ label }, place) => make("option", { value: place }, label))));
  const intervals = make("label", { class: "check" },
    make("input", { type: "checkbox", id: "intervals", onchange: (event) => { state.plain = !event.target.checked; changed(); } }), "intervals");
  const reset = make("button", { type: "reset" }, "Reset");
  byId("filters").replaceChildren(...facets, measure, intervals, reset, make("output", { id: "chosen-count", role: "status" }));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    Object.assign(state, { facets: {}, measure: 0, find: "", order: "", plain: false });
    showControls();
    changed();
  });
}

makeFilters();
byId("filters").hidden = data.results.length === 0;
byId("plots").hidden = data.results.length === 0;
byId("explorer").hidden = queries.length === 0;
byId("find").addEventListener("input", (event) => { state.find = event.target.value; writeAddress(); showList(); });
byId("order").addEventListener("change", (event) => { state.order = event.target.value; writeAddress(); showList(); });
document.querySelectorAll("nav a").forEach((link) => link.addEventListener("click", (event) => {
  // The address is for what was chosen.
  event.preventDefault();
  document.querySelector(link.getAttribute("href")).scrollIntoView();
}));
window.addEventListener("hashchange", () => { readAddress(); showControls(); showAll(); });
let drawnWidth = innerWidth;
window.addEventListener("resize", () => {
  if (innerWidth !== drawnWidth && data.results.length > 0) showPlots();
  drawnWidth = innerWidth;
});
readAddress();
showControls();
showAll();
