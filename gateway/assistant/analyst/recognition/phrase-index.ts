import { commonWords } from '../vocabulary/common-words.js';
import type { Intent } from '../intent.js';

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
const commonSlots = new Set([
  '{asset}',
  '{interval}',
  '{time}',
  '{tradeMarket}',
  '{count}',
  '{number}',
  '{price}',
  '{side}',
]);
/** Share of the nearest phrase in the score; the rest is the likeness to all phrases of the intent. */
const phraseShare = 0.6;

type Vector = Map<string, number>;

/**
 * Compares questions with the phrases of all intents: cosine of terms and pairs of neighbouring terms, each weighted by how
 * few intents have it (inverse document frequency over intents).
 */
export class PhraseIndex {
  readonly #intents: readonly Intent[];
  readonly #idf = new Map<string, number>();
  readonly #rarest: number;
  /** By term: the phrases that have it, with its share of their vectors. */
  readonly #phrases = new Map<string, { phrase: number; weight: number }[]>();
  /** By term: the intents that have it, with its share of their mean vectors. */
  readonly #means = new Map<string, { intent: number; weight: number }[]>();
  readonly #intentOf: number[] = [];

  /** `termsOf` reads a phrase as questions are read. */
  constructor(intents: readonly Intent[], termsOf: (phrase: string, intent: Intent) => string[]) {
    this.#intents = intents;
    const read = intents.map((intent) => intent.phrases.map((phrase) => countsOf(termsOf(phrase, intent))));
    for (const [term, count] of spread(read)) this.#idf.set(term, Math.log(1 + intents.length / count));
    this.#rarest = Math.log(1 + intents.length);
    read.forEach((phrases, intent) => this.#add(intent, phrases));
  }

  #add(intent: number, phrases: readonly Vector[]): void {
    const mean: Vector = new Map();
    for (const counts of phrases) {
      const vector = unit(this.#weighted(counts));
      const phrase = this.#intentOf.push(intent) - 1;
      for (const [term, weight] of vector) {
        put(this.#phrases, term, { phrase, weight });
        mean.set(term, (mean.get(term) ?? 0) + weight);
      }
    }
    for (const [term, weight] of unit(mean)) put(this.#means, term, { intent, weight });
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
    // What no phrase has says that the question may be about something else; pairs of it say nothing further.
    if (isPair || term.startsWith('^')) return 0;
    return this.#rarest * (commonWords.has(term) ? 0.25 : 0.5);
  }

  /** Whether some phrase has the term. */
  knows(term: string): boolean {
    return this.#idf.has(term);
  }

  /** Whether a phrase of the intent has the term. */
  isTermOf(term: string, intent: Intent): boolean {
    return (this.#means.get(term) ?? []).some((each) => this.#intents[each.intent] === intent);
  }

  /** The intents that share a term with the question, the best first. */
  rank(terms: readonly string[]): IntentScore[] {
    const vector = unit(this.#weighted(countsOf(terms.slice(0, mostTerms))));
    const nearest = new Float64Array(this.#intents.length);
    const likeness = new Float64Array(this.#intents.length);
    const byPhrase = new Float64Array(this.#intentOf.length);
    for (const [term, weight] of vector) {
      for (const each of this.#phrases.get(term) ?? []) byPhrase[each.phrase] += weight * each.weight;
      for (const each of this.#means.get(term) ?? []) likeness[each.intent] += weight * each.weight;
    }
    for (let phrase = 0; phrase < byPhrase.length; phrase++) {
      const intent = this.#intentOf[phrase];
      if (byPhrase[phrase] > nearest[intent]) nearest[intent] = byPhrase[phrase];
    }
    return this.#intents
      .map((intent, n) => ({ intent, score: phraseShare * nearest[n] + (1 - phraseShare) * likeness[n] }))
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

function put<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
