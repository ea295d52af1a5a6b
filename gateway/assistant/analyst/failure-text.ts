import { wordList } from './word-list.js';
import type { ToolOutcome } from '../toolbox.js';
import type { Intent } from './intent.js';

type Failure = Extract<ToolOutcome, { ok: false }>;

/** Advice for the user, by the code of the failure. */
const advice: Readonly<Record<string, string>> = wordList('failure-text', 'advice');

/** A failed call in words: what went wrong, and what to ask instead. */
export function failureText({ code, message, details }: Failure, intent: Intent): string {
  if (code === 'unexpected')
    return `I could not read ${intent.title}: something went wrong here. Ask again in a minute.`;
  const { nearest } = details;
  const hint =
    typeof nearest === 'string' && !message.includes(nearest)
      ? `Did you mean ${nearest}?`
      : (advice[code] ?? '');
  return [`I can't answer this: ${sentence(message)}`, hint].filter((part) => part !== '').join(' ');
}

const sentence = (message: string): string => (/[.?!]$/.test(message) ? message : `${message}.`);

/** Says that a question needs an account. */
export const signInText = ({ title }: Intent): string =>
  `To read ${title} I need your account. Sign in and ask again; as a guest you can ask about the public market.`;
