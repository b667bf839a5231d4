// Means, drops and their intervals: as the runs found them wherever a filter leaves what a corpus was asked, and computed
// again for any other part. Of such a part, intervals are the mean and so many standard errors, as for a normal distribution.

// How many standard errors an interval reaches on each side (Abramowitz and Stegun 26.2.23, good to 0.0005).
const reach = (() => {
  const t = Math.sqrt(-2 * Math.log((1 - (data.confidence || 0.95)) / 2));
  return t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t);
})();

function estimate(values) {
  const count = values.length;
  if (count === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = count > 1 ? Math.sqrt(squares / (count - 1) / count) : 0;
  return { value: mean, low: mean - reach * error, high: mean + reach * error };
}

function asEstimate(numbers) {
  return { value: numbers[0], low: numbers[1], high: numbers[2] };
}

// The corpus that was asked exactly what the filter leaves of another one: all of it, or a part that is a corpus, too.
// Nothing, where there is none.
const askedThat = { filter: null, of: new Map() };
function askedSame(corpus) {
  if (chosen === null) return corpus;
  if (askedThat.filter !== chosen) Object.assign(askedThat, { filter: chosen, of: new Map() });
  if (!askedThat.of.has(corpus)) {
    const { category, setting, asked } = data.corpora[corpus];
    const left = asked.filter((query) => chosen[query]);
    const isSame = (other) => other.category === category && other.setting === setting &&
      other.asked.length === left.length && other.asked.every((query, place) => query === left[place]);
    const place = left.length === asked.length ? corpus : data.corpora.findIndex(isSame);
    askedThat.of.set(corpus, left.length > 0 && place >= 0 ? place : null);
  }
  return askedThat.of.get(corpus);
}

// The result that the runs have for what the filter leaves of one, if any.
function asFound(result) {
  const corpus = askedSame(result.corpus);
  return corpus === null ? null : resultOf(result.model, corpus, result.measure) ?? null;
}

// A result's mean; nothing where no query is left, or scores were not kept.
function mean(result) {
  if (!result) return null;
  const found = asFound(result);
  if (found) return asEstimate(found.mean);
  if (result.scores === null) return null;
  const asked = data.corpora[result.corpus].asked;
  const left = estimate(Array.from(result.scores).filter((_, place) => chosen[asked[place]]));
  return left && { ...left, low: Math.max(0, left.low), high: Math.min(1, left.high) };
}

// What a result lost against its corpus's standard, on the queries that both have.
function drop(result) {
  const standard = data.corpora[result.corpus].standard;
  if (standard === null) return null;
  const before = resultOf(result.model, standard, result.measure);
  const found = asFound(result);
  if (found?.drop) return asEstimate(found.drop);
  if (chosen === null) {
    if (!before) return null;
    const value = before.mean[0] - result.mean[0];
    return { value, low: value, high: value };
  }
  if (!before || !before.scores || !result.scores) return null;
  const inStandard = places(standard);
  const differences = [];
  data.corpora[result.corpus].asked.forEach((query, place) => {
    if (chosen[query] && inStandard[query] >= 0) {
      differences.push(before.scores[inStandard[query]] - result.scores[place]);
    }
  });
  return estimate(differences);
}

// What is left of a result's standard, as a share of it.
function left(result) {
  const now = mean(result);
  const lost = now && drop(result);
  if (!lost || now.value + lost.value <= 0) return null;
  return { value: now.value / (now.value + lost.value) };
}

// What a model lost in a setting by the first measure, over all categories, as a share of what it had before.
function loss(model, setting) {
  let before = 0;
  let lost = 0;
  data.corpora.forEach((corpus, place) => {
    const result = corpus.all && corpus.setting === setting && resultOf(model, place, 0);
    const now = result && mean(result);
    const gone = now && drop(result);
    if (!gone) return;
    before += now.value + gone.value;
    lost += gone.value;
  });
  return before > 0 ? lost / before : null;
}

// A model's mean by the first measure over all categories of the standard setting.
function standardMean(model) {
  const means = [];
  data.corpora.forEach((corpus, place) => {
    if (corpus.all && data.settings[corpus.setting].original) means.push(mean(resultOf(model, place, 0)));
  });
  const there = means.filter((each) => each);
  return there.length > 0 ? there.reduce((sum, each) => sum + each.value, 0) / there.length : null;
}
