import { answerField } from './answer-field.js';
import type { ExchangeAnswer } from './fetch-whole.js';
import type { AnswerMeaning } from './venue-answers.js';
import { findVenue } from './venues/index.js';

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
