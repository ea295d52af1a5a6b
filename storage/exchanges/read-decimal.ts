import { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';

/** A number as the exchange wrote it. Throws `exchange_unavailable` for anything else: the whole answer is dropped. */
export function readDecimal(value: unknown): Decimal {
  const text = String(value);
  try {
    return Decimal.read(text);
  } catch (error) {
    const message = `the exchange answered with "${text.slice(0, 40)}" where a number was expected`;
    throw new AppError('exchange_unavailable', message, { cause: error });
  }
}
