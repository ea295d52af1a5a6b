import { answerField } from './answer-field.js';
import type { ExchangeAnswer } from './fetch-whole.js';
import { findVenue } from './venues/index.js';

/**
 * What an answer other than a success means. The first three are transient: the same request may succeed later.
 * - `unknown`: the exchange does not say what it has done, or the answer cannot be read.
 * - `busy`: it has done nothing now.
 * - `clock`: it does not accept this machine's time, and has done nothing.
 * - `key`: it does not accept the key, or not for this account.
 * - `absent`: the user has no such account, or it is not offered where this service runs.
 * - `duplicate`: it has an order of this client order id.
 * - `not_found`: it has no such order.
 * - `refused`: it has done nothing, and would not do it if it was asked again.
 */
export type AnswerMeaning =
  | 'unknown'
  | 'busy'
  | 'clock'
  | 'key'
  | 'absent'
  | 'duplicate'
  | 'not_found'
  | 'refused';

/** Answers with the same meaning: those that have one of the codes and match the text, as far as these are given. */
export interface AnswerRow {
  meaning: AnswerMeaning;
  codes?: readonly string[];
  text?: RegExp;
  /** The page that says so. */
  source: string;
}

/** How an exchange tells what went wrong. A code that no row has means `refused`. */
export interface VenueAnswers {
  /** The fields of its answers with the code and the text. */
  codeField: string;
  textField: string;
  /** Codes of a success. */
  success: readonly string[];
  /** The first row that fits counts. */
  rows: readonly AnswerRow[];
}

/** Statuses that decide whatever the body says: RFC 9110 (408), RFC 8470 (425), RFC 6585 (429), RFC 7725 (451), "HTTP Return Codes" of Binance (418). */
const statuses: Readonly<Record<number, AnswerMeaning>> = {
  408: 'unknown',
  418: 'busy',
  425: 'busy',
  429: 'busy',
  451: 'absent',
};

/** What an answer of an exchange with a venue means: by its status, else by its code. */
export function answerMeaning(id: string, answer: ExchangeAnswer): AnswerMeaning {
  const { status } = answer;
  if (status >= 500) return 'unknown';
  if (statuses[status]) return statuses[status];
  const { codeField, textField, success, rows } = findVenue(id)!.answers;
  const [code, text] = [answerField(answer, codeField), answerField(answer, textField)];
  const found = rows.find(
    (row) => (row.codes?.includes(code) ?? true) && (row.text === undefined || row.text.test(text)),
  );
  if (found) return found.meaning;
  if (code !== '' && !success.includes(code)) return 'refused';
  // A firewall answers 403 with a page: "the WAF Limit has been violated" (Binance), "IP rate limit breached" (Bybit).
  return status === 403 ? 'busy' : 'unknown';
}
