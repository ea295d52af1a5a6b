import { stem } from '../text/stem.js';

/** Words that follow-up questions begin with. They carry no subject of their own: "and what about it on", "same for", "make it". */
const followUpWords = new Set(
  `and or what about how is are was be do does did it its that this these those they them there same for make with instead on in at to of by use try again then now if i we you but rather
   than from as my over into change switch using set put only one ones go between per while when will would should here run check look please also more yes no yeah yep sure ok nope not recent
   last first using version meant actually sorry wait hmm no nah rather like too way add include including plus drop leave compare against time part whole entire full above below under least most fewer tighter short long shorter longer since until thing things say said mean please another different other else both each split break broken group sort breakdown down`
    .split(/\s+/)
    .map(stem),
);

/** Words for a chart: they say nothing beside its interval or a number of candles. */
export const chartTerms: ReadonlySet<string> = new Set(
  ['chart', 'candle', 'bar', 'timeframe', 'interval', 'basis', 'term', 'view'].map(stem),
);

/** The terms that say what is asked: neither slots nor words of follow-up questions. */
export const ownTerms = (terms: readonly string[]): string[] =>
  terms.filter((term) => !/^[{^]/.test(term) && !followUpWords.has(term));
