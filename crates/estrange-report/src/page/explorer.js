// The explorer: finds a query, shows who ranked the right function where, and what was ranked above it.

const queries = data.explorer.queries;
const snippets = data.explorer.snippets;
let tabSetting = null;

function showList() {
  const words = state.find.toLowerCase().split(/\s+/).filter((word) => word);
  const shown = queries.filter((query) => isChosen(query.at) && words.every((word) => searchable(query).includes(word)));
  if (state.order === "lost") shown.sort((first, second) => lossOf(second) - lossOf(first));
  byId("found").textContent = `${counted(shown.length)} of ${counted(queries.length)}`;
  byId("list").replaceChildren(...shown.map((query) => make("li", {},
    make("button", { type: "button", "aria-current": query.id === state.query, "data-query": query.id, onclick: () => openQuery(query.id) },
      make("span", { class: "words" }, query.text),
      make("span", { class: "about" }, [nameOf(query), query.facts[0], query.facts[4]].filter((fact) => fact).join(" · "))))));
}

function nameOf(query) {
  return query.right === null ? "" : snippets[query.right][0];
}

function searchable(query) {
  query.searchable ??= `${query.text} ${query.id} ${nameOf(query)} ${query.facts.join(" ")}`.toLowerCase();
  return query.searchable;
}

// What the models lost on a query, on average over models and settings, in the chosen measure.
const losses = new Map();
function lossOf(query) {
  const name = `${query.at}/${state.measure}`;
  if (!losses.has(name)) {
    const lost = data.results.flatMap((result) => {
      const corpus = data.corpora[result.corpus];
      const before = result.measure === state.measure && corpus.all && corpus.standard !== null &&
        resultOf(result.model, corpus.standard, result.measure);
      if (!before || !before.scores || !result.scores) return [];
      const [place, placeBefore] = [places(result.corpus)[query.at], places(corpus.standard)[query.at]];
      return place < 0 || placeBefore < 0 ? [] : [before.scores[placeBefore] - result.scores[place]];
    });
    losses.set(name, lost.reduce((sum, value) => sum + value, 0) / Math.max(1, lost.length));
  }
  return losses.get(name);
}

function openQuery(id) {
  state.query = id;
  writeAddress();
  for (const button of byId("list").querySelectorAll("button")) {
    button.setAttribute("aria-current", button.dataset.query === id);
  }
  showQuery();
  if (innerWidth < 900) byId("query").scrollIntoView({ block: "start" });
}

function showQuery() {
  const query = queries.find((each) => each.id === state.query);
  byId("explorer").classList.toggle("chosen", query !== undefined);
  if (!query) {
    byId("query").replaceChildren(make("p", { class: "note" }, queries.length > 0 ? "Choose a query." : "This report holds no single queries."));
    return;
  }
  const facts = query.facts.filter((fact) => fact).map((fact) => make("li", {}, fact));
  byId("query").replaceChildren(
    make("blockquote", {}, query.text),
    make("ul", { class: "facts" }, make("li", {}, query.id), ...facts),
    ...showRanks(query), ...showRight(query));
}

// A ranking is [model, corpus, rank, score, top], and a hit of its top is [snippet, score, grade].
function showRanks(query) {
  const corpora = [...new Set(query.rankings.map((ranking) => ranking[1]))];
  corpora.sort((first, second) => data.corpora[first].setting - data.corpora[second].setting);
  if (corpora.length === 0) return [];
  const rankingOf = (model, corpus) => query.rankings.find((ranking) => ranking[0] === model && ranking[1] === corpus);
  const views = new Set(corpora.map((corpus) => data.corpora[corpus].view));
  const title = (corpus) => data.settings[data.corpora[corpus].setting].name + (views.size > 1 && data.corpora[corpus].view ? `, ${data.corpora[corpus].view}` : "");
  const isOpen = (ranking) => data.models[ranking[0]] === state.model && title(ranking[1]) === state.setting;
  const open = query.rankings.find(isOpen) ?? query.rankings[0];
  const hits = make("div", {});
  const choose = (ranking) => {
    state.model = data.models[ranking[0]];
    state.setting = title(ranking[1]);
    writeAddress();
    for (const button of table.querySelectorAll("button")) button.setAttribute("aria-pressed", button.ranking === ranking);
    hits.replaceChildren(...showHits(query, ranking, title(ranking[1])));
  };
  const cell = (model, corpus) => {
    const ranking = rankingOf(model, corpus);
    if (!ranking) return make("td", {}, "–");
    const rank = ranking[2];
    const kind = rank === null ? "lost" : rank === 1 ? "first" : rank <= 10 ? "near" : rank <= 100 ? "far" : "lost";
    const spokenRank = rank === null ? "not found" : `rank ${rank}`;
    const button = make("button", {
      type: "button", class: kind, "aria-pressed": ranking === open, onclick: () => choose(ranking),
      "aria-label": `${data.models[model]}, ${title(corpus)}: ${spokenRank}`,
    }, rank === null ? "none" : String(rank));
    button.ranking = ranking;
    return make("td", {}, button);
  };
  const models = data.models.map((name, model) => [name, model]).filter(([, model]) => query.rankings.some((ranking) => ranking[0] === model));
  const table = make("table", { class: "ranks" },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "model"), ...corpora.map((corpus) => make("th", { scope: "col" }, title(corpus))))),
    make("tbody", {}, ...models.map(([name, model]) => make("tr", {}, make("th", { scope: "row" }, name), ...corpora.map((corpus) => cell(model, corpus))))));
  hits.append(...showHits(query, open, title(open[1])));
  return [
    make("h3", {}, "Rank of the right function"),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rank of the right function" }, table),
    hits,
  ];
}

function showHits(query, ranking, title) {
  const [model, corpus, rank, score, top] = ranking;
  const { setting, view } = data.corpora[corpus];
  const items = top.map(([snippet, points, grade], place) => make("li", { class: grade > 0 && "right" },
    make("details", { open: place === 0 },
      make("summary", {}, make("span", { class: "rank" }, `${place + 1}.`), make("code", {}, snippets[snippet][0]),
        make("span", { class: "score" }, String(points)),
        grade > 0 ? make("span", { class: "badge" }, snippet === query.right ? "✓ right" : `✓ grade ${grade}`) : ""),
      ...showText(textOf(snippet, setting, view)))));
  const isShown = top.some(([snippet]) => snippet === query.right);
  const below = rank === null ? "The right function was not found." :
    isShown ? "" : `The right function stands at rank ${rank}${score === null ? "" : `, with a score of ${score}`}.`;
  return [
    make("h3", {}, `What ${data.models[model]} found, ${title}`),
    make("ol", { class: "hits" }, ...items),
    make("p", { class: "note" }, below),
  ];
}

// A text is [setting, view, text, missing characters].
function textOf(snippet, setting, view) {
  return snippets[snippet][2].find((text) => text[0] === setting && text[1] === view);
}

function showText(text) {
  if (!text) return [make("p", { class: "missing" }, "Its text is not in this report.")];
  const code = make("pre", { class: "code", tabindex: "0" }, text[2]);
  return text[3] > 0 ? [code, make("p", { class: "missing" }, `… and ${counted(text[3])} more characters`)] : [code];
}

function showRight(query) {
  const texts = query.right === null ? [] : snippets[query.right][2];
  if (texts.length === 0) return [];
  const title = (text) => data.settings[text[0]].name + (text[1] ? `, ${text[1]}` : "");
  const panel = make("div", { role: "tabpanel", id: "right-text", "aria-labelledby": "" });
  const select = (place, focus) => {
    tabSetting = title(texts[place]);
    tabs.forEach((tab, each) => {
      tab.setAttribute("aria-selected", each === place);
      tab.tabIndex = each === place ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", tabs[place].id);
    panel.replaceChildren(...showText(texts[place]));
    if (focus) tabs[place].focus();
  };
  const tabs = texts.map((text, place) => make("button", {
    type: "button", role: "tab", id: `tab-${place}`, "aria-controls": "right-text",
    onclick: () => select(place, false),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const next = event.key === "Home" ? 0 : event.key === "End" ? texts.length - 1 : step && (place + step + texts.length) % texts.length;
      if (next === undefined) return;
      event.preventDefault();
      select(next, true);
    },
  }, title(text)));
  select(Math.max(0, texts.findIndex((text) => title(text) === tabSetting)), false);
  return [
    make("h3", {}, "The right function: ", make("code", {}, nameOf(query))),
    make("div", { role: "tablist", "aria-label": "Settings" }, ...tabs), panel,
  ];
}
