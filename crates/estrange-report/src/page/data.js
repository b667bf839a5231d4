// What the page knows, and how things are looked up in it.

const data = JSON.parse(document.getElementById("data").textContent);

for (const result of data.results) {
  result.scores = fractions(result.scores);
}

// Fractions of 1, written as steps of 1/65535 in two bytes each, the lower one first.
function fractions(text) {
  if (!text) return null;
  const bytes = atob(text);
  const values = new Float64Array(bytes.length / 2);
  for (let place = 0; place < values.length; place++) {
    values[place] = (bytes.charCodeAt(2 * place) | (bytes.charCodeAt(2 * place + 1) << 8)) / 65535;
  }
  return values;
}

const resultsByKey = new Map(data.results.map((result) => [key(result.model, result.corpus, result.measure), result]));

function key(model, corpus, measure) {
  return `${model}/${corpus}/${measure}`;
}

function resultOf(model, corpus, measure) {
  return resultsByKey.get(key(model, corpus, measure));
}

// For each query the place of its score in a corpus, or -1.
const placesByCorpus = new Map();
function places(corpus) {
  if (!placesByCorpus.has(corpus)) {
    const places = new Int32Array(data.queries).fill(-1);
    data.corpora[corpus].asked.forEach((query, place) => { places[query] = place; });
    placesByCorpus.set(corpus, places);
  }
  return placesByCorpus.get(corpus);
}

// The corpora that were asked all queries, by category, in their order.
const categories = new Map();
data.corpora.forEach((corpus, place) => {
  if (!corpus.all) return;
  if (!categories.has(corpus.category)) categories.set(corpus.category, []);
  categories.get(corpus.category).push(place);
});
for (const corpora of categories.values()) {
  // What is compiled may be compared with a view that is a category of its own.
  const standard = data.corpora[corpora[0]].standard;
  if (standard !== null && !corpora.includes(standard)) corpora.push(standard);
  corpora.sort((first, second) => data.corpora[first].setting - data.corpora[second].setting);
}

const byId = (id) => document.getElementById(id);

// An element with attributes and children; text is always text.
function make(name, attributes = {}, ...children) {
  const isDrawing = ["svg", "g", "rect", "line", "path", "text", "title"].includes(name);
  const element = isDrawing ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute.startsWith("on")) element.addEventListener(attribute.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(attribute, value);
  }
  element.append(...children);
  return element;
}

// A number with decimals and a true minus sign, never a negative zero.
function decimals(value, digits) {
  const text = value.toFixed(digits);
  return /^-[0.]*$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

function counted(number) {
  return number.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}
