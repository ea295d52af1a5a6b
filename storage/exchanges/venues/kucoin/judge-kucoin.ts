import { answerField } from '../../answer-field.js';
import type { ExchangeAnswer } from '../../fetch-whole.js';
import type { OrderVerdict } from '../../venue-trading.js';

/**
 * What an answer of KuCoin other than a success says about an order. One code may have several meanings; the text tells which.
 * An order that cannot be cancelled counts as not found: it has ended.
 */
export function judgeKucoin(answer: ExchangeAnswer): OrderVerdict {
  const { status } = answer;
  if (status === 429) return 'postponed';
  if (status >= 500) return 'unknown';
  const [code, text] = [answerField(answer, 'code'), answerField(answer, 'msg')];
  if (notFoundCodes.has(code) || notFound.test(text)) return 'not_found';
  if (postponedCodes.has(code) || tooMany.test(text)) return 'postponed';
  if (duplicateCodes.has(code) || duplicate.test(text)) return 'duplicate';
  const isUnknown = code === '' || code === '200000' || unknownCodes.has(code) || unsure.test(text);
  return isUnknown ? 'unknown' : 'refused';
}

/** No such order (100001, 126043), and one that is not in a state to be cancelled (100004). */
const notFoundCodes = new Set(['100001', '100004', '126043', 'order_not_exist']);
const notFound = /order.?(does )?.?not.?exist/i;

/** The time of the request is off (400002), too many requests (429000, 200002). */
const postponedCodes = new Set(['400002', '429000', '200002']);
const tooMany = /exceeded the access frequency|too many requests/i;

/** Duplicate order (126033), duplicate clientOid (126044). */
const duplicateCodes = new Set(['126033', '126044']);
const duplicate = /duplicate|client.?oid.*(exist|repeat|used)/i;

/** Network timeout (408000), internal error (500000), failed calls of other services (126038, 126039, 135005, 135018). */
const unknownCodes = new Set(['408000', '500000', '126038', '126039', '135005', '135018']);
const unsure = /timeout|timed out|try again|system.*busy|internal/i;
