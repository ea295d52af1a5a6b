import { AppError } from '../../compute/model/errors.js';

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

/**
 * The error of a request that an exchange refuses, or that is not sent because it would. `reason`: `key`, or there is no `connection`, which the
 * owner can mend; an `absent` account; or this `request` alone.
 */
export const exchangeRefused = (
  message: string,
  reason: 'absent' | 'connection' | 'key' | 'request' = 'request',
): AppError => new AppError('exchange_refused', message, { details: { reason } });

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
  /** Whether successes have it, too. Default: false. */
  isInEach?: boolean;
  textField: string;
  /** Codes of a success. */
  success: readonly string[];
  /** The first row that fits counts. */
  rows: readonly AnswerRow[];
}
