import { plainNumber } from '../../../compute/model/format-number.js';

/** A price as tools take it: a decimal in a string. */
export const priceArg = (price: number | undefined): string | undefined =>
  price === undefined ? undefined : plainNumber(price);
