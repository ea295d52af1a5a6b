import { dataFile } from './data-file.js';
import { glossaryTerms } from './glossary-terms.js';
import { intentsOf } from './intents.js';
import type { Intent } from './intent.js';
import type { Slots } from './slots.js';

/** Words that people ask about most: what they mean, and what to do with them. */
const definitions = dataFile<Record<string, string>>('definitions');

/** What a word of the field means, in a sentence or two. */
export function definitionText({ term = '' }: Slots): string {
  const meaning = definitions[term] ?? glossaryTerms[term] ?? 'this word is not in the glossary.';
  return `${term.charAt(0).toUpperCase()}${term.slice(1).replaceAll('_', ' ')}: ${meaning}`;
}

/** What can be asked: what the intents are about, each topic once. */
export function helpText(): string {
  const topicsOf = (intents: readonly Intent[]): string =>
    [...new Set(intents.flatMap(({ topic }) => topic ?? []))].join(', ');
  return [
    'I answer questions about crypto markets from the data of this service.',
    `About the market: ${topicsOf(intentsOf.market)}.`,
    `For plans: ${topicsOf(intentsOf.planning)}.`,
    `Signed in, about your account: ${topicsOf(intentsOf.account)}.`,
    'For example: "why did BTC flip on 4h?", "coins with RSI below 30", or "backtest EMA cross on ETH over 6 months".',
  ].join(' ');
}
