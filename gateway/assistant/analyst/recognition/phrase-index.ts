import { wordSet } from '../word-list.js';
import { commonWords, isOrdinaryTerm } from '../vocabulary/words.js';
import type { Intent } from '../intent.js';
import { TermLikelihood } from './term-likelihood.js';

/** How far a question fits an intent, from 0 to 1. */
export interface IntentScore {
  intent: Intent;
  score: number;
}

/** The terms of a question that are compared; questions that people ask have fewer. */
const mostTerms = 60;
const pairShare = 0.6;
/** Slots that nearly every question has say little; those of one kind of question say much. */
const commonShare = 0.4;
const slotShare = 0.8;
const commonSlots = wordSet('phrase-index', 'commonSlots');
/** Share of the nearest phrase in the score; the rest is the likeness to all phrases of the intent. */
const phraseShare = 0.6;
/** How much the likelihood of the terms counts beside the likeness to phrases: an exponent. */
const likelihoodShare = 0.1;
/** A phrase that is repeated word by word counts more than many that are alike. */
const exact = 0.9;
const exactShare = 0.15;
/** The least share that counts, so that one odd word does not rule an intent out. */
const leastShare = 1e-4;

type Vector = Map<string, number>;

/** Where a term stands, in phrases or intents, and its weight there. */
interface Postings {
  places: Uint16Array;
  weights: Float64Array;
}

/**
 * Compares questions with the phrases of all intents: cosine of terms and pairs of neighbouring terms, each weighted by how
 * few intents have it (inverse document frequency over intents).
 */
export class PhraseIndex {
  readonly #intents: readonly Intent[];
  readonly #idf = new Map<string, number>();
  readonly #rarest: number;
  /** By term: the phrases that have it, with its share of their vectors. */
  readonly #phrases: ReadonlyMap<string, Postings>;
  /** By term: the intents that have it, with its share of their mean vectors. */
  readonly #means: ReadonlyMap<string, Postings>;
  readonly #likelihood: TermLikelihood;
  /** The intent of each phrase. */
  readonly #intentOf: Uint16Array;
  /** The scores of all phrases: a scratch buffer. */
  readonly #byPhrase: Float64Array;

  /** `terms`: of each phrase of each intent, in their order, read as questions are read. */
  constructor(intents: readonly Intent[], terms: readonly (readonly (readonly string[])[])[]) {
    this.#intents = intents;
    const read = terms.map((each) => each.map(countsOf));
    for (const [term, count] of spread(read)) this.#idf.set(term, Math.log(1 + intents.length / count));
    this.#rarest = Math.log(1 + intents.length);
    const vectors = read.map((each) => each.map((counts) => unit(this.#weighted(counts))));
    this.#likelihood = new TermLikelihood(vectors);
    const phrases = vectors.flat();
    this.#intentOf = Uint16Array.from(read.flatMap((each, intent) => each.map(() => intent)));
    this.#phrases = postingsOf(phrases);
    this.#means = postingsOf(this.#meansOf(phrases));
    this.#byPhrase = new Float64Array(phrases.length);
  }

  /** The mean direction of the phrases of each intent. */
  #meansOf(phrases: readonly Vector[]): Vector[] {
    const means = this.#intents.map((): Vector => new Map());
    phrases.forEach((vector, phrase) => {
      const mean = means[this.#intentOf[phrase]];
      for (const [term, weight] of vector) mean.set(term, (mean.get(term) ?? 0) + weight);
    });
    return means.map(unit);
  }

  #weighted(counts: Vector): Vector {
    return new Map([...counts].map(([term, count]) => [term, count * this.#weightOf(term)]));
  }

  #weightOf(term: string): number {
    const isPair = term.includes(' ');
    const known = this.#idf.get(term);
    const share = isPair
      ? pairShare
      : commonSlots.has(term)
        ? commonShare
        : term.startsWith('{')
          ? slotShare
          : 1;
    if (known !== undefined) return known * share;
    // A term of no phrase suggests that the question is about something else; its pairs add nothing to that.
    if (isPair || term.startsWith('^')) return 0;
    return this.#rarest * (commonWords.has(term) || isOrdinaryTerm(term) ? 0.05 : 0.35);
  }

  /** Whether some phrase has the term. */
  knows(term: string): boolean {
    return this.#idf.has(term);
  }

  /** Whether a phrase of the intent has the term. */
  isTermOf(term: string, intent: Intent): boolean {
    return this.#means.get(term)?.places.includes(this.#intents.indexOf(intent)) ?? false;
  }

  /** The intents that share a term with the question, the best first. */
  rank(terms: readonly string[]): IntentScore[] {
    const counts = countsOf(terms.slice(0, mostTerms));
    const vector = unit(this.#weighted(counts));
    const shares = this.#likelihood.shares(vector);
    const nearest = new Float64Array(this.#intents.length);
    const likeness = new Float64Array(this.#intents.length);
    const byPhrase = this.#byPhrase.fill(0);
    for (const [term, weight] of vector) {
      addTo(byPhrase, this.#phrases.get(term), weight);
      addTo(likeness, this.#means.get(term), weight);
    }
    for (let phrase = 0; phrase < byPhrase.length; phrase++) {
      const intent = this.#intentOf[phrase];
      if (byPhrase[phrase] > nearest[intent]) nearest[intent] = byPhrase[phrase];
    }
    return this.#intents
      .map((intent, n) => ({
        intent,
        score:
          (phraseShare * nearest[n] + (1 - phraseShare) * likeness[n]) *
          (shares[n] + leastShare) ** likelihoodShare *
          (1 + (exactShare * Math.max(0, nearest[n] - exact)) / (1 - exact)),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
  }
}

/** Terms and pairs of neighbours; a second occurrence counts no more. */
function countsOf(terms: readonly string[]): Vector {
  const counts: Vector = new Map();
  terms.forEach((term, n) => {
    counts.set(term, 1);
    if (n > 0 && !term.startsWith('^')) counts.set(`${terms[n - 1]} ${term}`, 1);
  });
  return counts;
}

/** In how many intents each term occurs. */
function spread(intents: readonly (readonly Vector[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const phrases of intents)
    for (const term of new Set(phrases.flatMap((phrase) => [...phrase.keys()])))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function unit(vector: Vector): Vector {
  const length = Math.sqrt([...vector.values()].reduce((sum, weight) => sum + weight * weight, 0));
  return length === 0 ? vector : new Map([...vector].map(([term, weight]) => [term, weight / length]));
}

/** The vectors by term instead of by place. */
function postingsOf(vectors: readonly Vector[]): Map<string, Postings> {
  const found = new Map<string, { places: number[]; weights: number[] }>();
  vectors.forEach((vector, place) => {
    for (const [term, weight] of vector) {
      let known = found.get(term);
      if (!known) found.set(term, (known = { places: [], weights: [] }));
      known.places.push(place);
      known.weights.push(weight);
    }
  });
  return new Map(
    [...found].map(([term, { places, weights }]) => [
      term,
      { places: Uint16Array.from(places), weights: Float64Array.from(weights) },
    ]),
  );
}

function addTo(scores: Float64Array, postings: Postings | undefined, weight: number): void {
  if (!postings) return;
  const { places, weights } = postings;
  for (let n = 0; n < places.length; n++) scores[places[n]] += weight * weights[n];
}
