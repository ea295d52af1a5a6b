import { AppError } from '../../compute/model/errors.js';
import { maxPages } from './read-trades.js';

/** Throws `exchange_unavailable` if the number of a page (from 1 on) is above `maxPages`, so that reading a list always ends. */
export function requirePage(number: number): void {
  if (number > maxPages)
    throw new AppError('exchange_unavailable', `the exchange lists more than ${maxPages} pages of a ledger`);
}
