import type { ToolOutcome } from '../toolbox.js';
import type { Intent } from './intent.js';

type Failure = Extract<ToolOutcome, { ok: false }>;

/** Advice for the user, by the code of the failure. */
const advice: Readonly<Record<string, string>> = {
  not_enough_history: 'A longer history helps: ask for a shorter interval, or for another asset.',
  market_filling: 'Its candles are being loaded. Ask again in a few minutes.',
  price_stale: 'Ask for the trend state or for candles, which rest on closed candles.',
  rate_limited: 'Ask again in a minute.',
  queue_full: 'Ask again in a few seconds.',
  gateway_busy: 'Ask again in a few seconds.',
  no_worker: 'Ask again in a few minutes.',
  time_limit: 'Ask for a shorter period or a longer interval.',
  still_running: 'It goes on. Ask for the result of the backtest in a few seconds.',
  unknown_backtest: 'Ask for your recent backtests.',
  unknown_order: 'Ask for your orders.',
  unknown_signal: 'Ask for your signals.',
};

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
