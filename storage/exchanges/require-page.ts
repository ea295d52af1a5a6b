import { AppError } from '../../compute/model/errors.js';
import { maxPages } from './read-trades.js';

/** Throws `exchange_unavailable` for the number of a page, from 1 on, that a list which comes to an end does not have. */
export function requirePage(number: number): void {
  if (number > maxPages)
    throw new AppError('exchange_unavailable', `the exchange lists more than ${maxPages} pages of a ledger`);
}
