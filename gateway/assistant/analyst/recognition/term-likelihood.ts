/** Terms with their weights. */
type Vector = ReadonlyMap<string, number>;

/** How much a term that an intent's phrases never have speaks against it: the smaller, the more. */
const smoothing = 0.02;
/** The number of terms that the smoothing spreads over. */
const spread = 500;
/** How sharply likelihoods differ: a question has few terms, and they are not independent. */
const sharpness = 3;

/** What the phrases of the intents say of a term: the intents that have it, with log ratios to those that do not. */
interface TermRatios {
  intents: number[];
  ratios: number[];
}

/**
 * How likely the terms of a question are under each intent, by how often its phrases have them (multinomial naive Bayes with
 * equal priors). It weighs what all phrases of an intent have in common, where a comparison with the nearest phrase can't.
 */
export class TermLikelihood {
  readonly #byTerm = new Map<string, TermRatios>();
  /** By intent: the log likelihood of a term that its phrases never have. */
  readonly #missing: Float64Array;

  /** `phrases`: by intent the terms of each phrase, as vectors of length 1. */
  constructor(phrases: readonly (readonly Vector[])[]) {
    const counts = phrases.map(sumOf);
    const totals = counts.map((each) => [...each.values()].reduce((sum, count) => sum + count, 0));
    this.#missing = Float64Array.from(totals, (total) => Math.log(smoothing / (total + smoothing * spread)));
    counts.forEach((each, intent) => {
      for (const [term, count] of each) {
        const known = this.#byTerm.get(term) ?? { intents: [], ratios: [] };
        known.intents.push(intent);
        known.ratios.push(Math.log((count + smoothing) / smoothing));
        this.#byTerm.set(term, known);
      }
    });
  }

  /** The share of each intent, all together 1; equal shares where no term is known. */
  shares(terms: Vector): Float64Array {
    const logs = new Float64Array(this.#missing.length);
    for (const [term, weight] of terms) {
      const known = this.#byTerm.get(term);
      if (!known) continue;
      for (let n = 0; n < logs.length; n++) logs[n] += sharpness * weight * this.#missing[n];
      known.intents.forEach((intent, n) => (logs[intent] += sharpness * weight * known.ratios[n]));
    }
    const most = Math.max(...logs);
    const likelihoods = logs.map((log) => Math.exp(log - most));
    const sum = likelihoods.reduce((total, each) => total + each, 0);
    return likelihoods.map((each) => each / sum);
  }
}

function sumOf(vectors: readonly Vector[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const vector of vectors)
    for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight);
  return sum;
}
