import type { ResearchInterval } from '../model/interval.js';
import { parseColumn, type RuleColumn } from './rule-column.js';

/** The column that ranks entries of one open: the lowest value first, with a `-` before it the highest. Throws `invalid_input`. */
export function parseRank(
  text: string,
  interval: ResearchInterval,
): { column: RuleColumn; ranksHighest: boolean } {
  const ranksHighest = text.trim().startsWith('-');
  const column = parseColumn(text.trim().slice(Number(ranksHighest)), 'rankBy', { interval });
  return { column, ranksHighest };
}
