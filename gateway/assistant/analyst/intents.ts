import { dataFile } from './data-file.js';
import type { Intent } from './intent.js';
import type { SlotName } from './slots.js';

/** An intent as it is written in its file: lists of names are words, phrases stand between bars. */
interface StoredIntent extends Omit<Intent, 'phrases' | 'takes'> {
  phrases: string;
  takes: string;
}

const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const read = (file: string): Intent[] =>
  dataFile<StoredIntent[]>(file).map(({ phrases, takes, ...intent }) => ({
    ...intent,
    phrases: phrases.split(' | '),
    takes: wordsOf(takes) as SlotName[],
  }));

/** The intents by what they are about; those of `aside` call no tool: help, definitions, and what is declined. */
export const intentsOf = {
  market: read('market-intents'),
  account: read('account-intents'),
  planning: read('planning-intents'),
  aside: read('aside-intents'),
} as const;

/** Every intent that the analyst recognises. */
export const intents: readonly Intent[] = Object.values(intentsOf).flat();

const byName = new Map(intents.map((intent) => [intent.name, intent]));

/** The intent of that name. */
export const intentNamed = (name: string): Intent | undefined => byName.get(name);
