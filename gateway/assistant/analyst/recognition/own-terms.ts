import { listedWords } from '../word-list.js';
import { stem } from '../text/stem.js';

/** Words that follow-up questions begin with. They carry no subject of their own: "and what about it on", "same for", "make it". */
const followUpWords = new Set(listedWords('own-terms', 'followUpWords').map(stem));

/** Words for a chart: they say nothing beside its interval or a number of candles. */
export const chartTerms: ReadonlySet<string> = new Set(
  ['chart', 'candle', 'bar', 'timeframe', 'interval', 'basis', 'term', 'view'].map(stem),
);

/** The terms that say what is asked: neither slots nor words of follow-up questions. */
export const ownTerms = (terms: readonly string[]): string[] =>
  terms.filter((term) => !/^[{^]/.test(term) && !followUpWords.has(term));
