import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Slots } from '../../../gateway/assistant/analyst/slots.js';
import { projectRoot } from '../harness/paths.js';

/** A question about the demo market as it is understood, and the text that answers it. */
export interface MarketAnswer {
  intent: string;
  slots: Slots;
  text: string;
}

export const marketAnswersFile = join(projectRoot, 'test/fixtures/assistant/market-answers.json');

export const readMarketAnswers = (): MarketAnswer[] =>
  JSON.parse(readFileSync(marketAnswersFile, 'utf8')) as MarketAnswer[];
