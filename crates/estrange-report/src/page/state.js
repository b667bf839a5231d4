// What the reader has chosen, kept in the address, so that a view can be linked to and is there again after a reload.

const state = { measure: 0, find: "", order: "", query: "", model: "", setting: "", plain: false, facets: {} };

function readAddress() {
  // A place on the page is not a choice.
  if (location.hash.length > 1 && !location.hash.includes("=")) return;
  const parameters = new URLSearchParams(location.hash.slice(1));
  state.measure = Math.max(0, data.measures.findIndex((measure) => measure.name === parameters.get("measure")));
  for (const name of ["find", "order", "query", "model", "setting"]) {
    state[name] = parameters.get(name) ?? "";
  }
  state.plain = parameters.get("intervals") === "off";
  state.facets = {};
  for (const facet of data.facets) {
    const value = parameters.get(facet.name);
    if (facet.values.includes(value)) state.facets[facet.name] = value;
  }
}

function writeAddress() {
  const parameters = new URLSearchParams(state.facets);
  if (state.measure > 0) parameters.set("measure", data.measures[state.measure].name);
  for (const name of ["find", "order", "query", "model", "setting"]) {
    if (state[name]) parameters.set(name, state[name]);
  }
  if (state.plain) parameters.set("intervals", "off");
  const text = parameters.toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
}

// Which queries are left by the filters: one flag for each, or nothing where no filter is on.
let chosen = null;
let chosenCount = data.queries;

function choose() {
  const active = data.facets.filter((facet) => facet.name in state.facets);
  chosen = null;
  chosenCount = data.queries;
  if (active.length === 0) return;
  chosen = new Uint8Array(data.queries).fill(1);
  for (const facet of active) {
    const wanted = facet.values.indexOf(state.facets[facet.name]);
    facet.of.forEach((value, query) => { if (value !== wanted) chosen[query] = 0; });
  }
  chosenCount = chosen.reduce((sum, flag) => sum + flag, 0);
}

function isChosen(query) {
  return chosen === null || chosen[query] === 1;
}
