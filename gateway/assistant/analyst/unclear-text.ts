import type { Understanding } from './understand.js';

const examples = 'For example: "trend of BTC on 4h", "what would flip ETH?", or "what can you do?"';

const texts: Readonly<Record<NonNullable<Understanding['unclear']>, string>> = {
  empty: `Please write a question. ${examples}`,
  'other-script': `I understand questions in English only. ${examples}`,
  'off-topic': `I answer questions about crypto markets, trading plans and your account here, and this is something else. ${examples}`,
  vague: `I did not understand what you want to know. ${examples}`,
};

/** The answer to a message without an understood question. */
export const unclearText = (why: NonNullable<Understanding['unclear']>): string => texts[why];
