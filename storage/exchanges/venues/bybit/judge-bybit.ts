import { answerField } from '../../answer-field.js';
import type { ExchangeAnswer } from '../../fetch-whole.js';
import type { OrderVerdict } from '../../venue-trading.js';

/**
 * What an answer of Bybit other than a success says about an order. Bybit answers with status 200 and a code of its own; the codes
 * are those of "Error codes" in its API documentation.
 */
export function judgeBybit(answer: ExchangeAnswer): OrderVerdict {
  const { status } = answer;
  if (status === 429 || status === 403) return 'postponed';
  if (status >= 500) return 'unknown';
  const code = answerField(answer, 'retCode');
  if (notFoundCodes.has(code)) return 'not_found';
  if (postponedCodes.has(code)) return 'postponed';
  if (duplicateCodes.has(code)) return 'duplicate';
  return code === '' || code === '0' || unknownCodes.has(code) ? 'unknown' : 'refused';
}

/**
 * No such order (110001, 170213), and orders that have ended, which cannot be cancelled: 110008, 110010, 170139, 170142,
 * 170143, 170190.
 */
const notFoundCodes = new Set([
  ...['110001', '170213', '110008', '110010'],
  ...['170139', '170142', '170143', '170190'],
]);

/** Outside of the receive window (10002), too many requests (10006, 10018, 10429, 170005, 170222), address banned (10009). */
const postponedCodes = new Set(['10002', '10006', '10009', '10018', '10429', '170005', '170222']);

/** Duplicate orderLinkId (110072, 170141, 12141), duplicate request (10014). */
const duplicateCodes = new Set(['110072', '170141', '12141', '10014']);

/**
 * Server timeout (10000, 170007, 170146), internal error (10016, 170001, 170234), network error (170032), submitted
 * (170035), "create order failed" (170149), the order is processed (110079).
 */
const unknownCodes = new Set([
  ...['10000', '10016', '110079', '170001', '170007', '170032'],
  ...['170035', '170146', '170149', '170234'],
]);
