import { field, type Values } from './field.js';

const orNull = (text: string) => field.nullable(field.decimal(text));

/** The rules and fees of an exchange for the orders of a pair on one of its accounts. */
export const pairTermsFields = {
  priceTick: field.decimal('prices are multiples of it', { unit: 'quote' }),
  quantityStep: field.decimal('quantities are multiples of it', { unit: 'base' }),
  minQuantity: field.decimal('least quantity of an order', { unit: 'base' }),
  minNotional: field.decimal('least value of an order; 0: none', { unit: 'quote' }),
  maxLeverage: orNull('largest multiplier; null if the exchange shows it only to owners of an account'),
  makerPercent: orNull('fee of an order that waits in the book, in percent; null where it is not known'),
  takerPercent: orNull('fee of an order that fills at once, in percent; null where it is not known'),
};

/** Decimals are text. */
export type PairTerms = Values<typeof pairTermsFields>;
