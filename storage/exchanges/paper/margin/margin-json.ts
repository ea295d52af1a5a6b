import type { MarginAccount, MarginOrder } from '../../../../compute/paper/margin/margin-account.js';
import {
  decodeDecimals,
  encodeDecimals,
  type DecimalFields,
  type DecimalsAsText,
} from '../../../servers/decimals-as-text.js';

/** A margin account as it is stored. */
export type MarginAccountJson = DecimalsAsText<Pick<MarginAccount, 'wallet' | 'positions' | 'orders'>>;

/** An order of a margin account as it is stored. */
export type MarginOrderJson = DecimalsAsText<MarginOrder>;

/** Every field of an account that holds a decimal. A field that is missing here does not compile. */
const decimalFields: Record<DecimalFields<MarginAccount>, true> = {
  baseFee: true,
  bound: true,
  entryValue: true,
  funding: true,
  margin: true,
  marginEach: true,
  price: true,
  quantity: true,
  quoteFee: true,
  stopPrice: true,
  wallet: true,
};

const isDecimal = (field: string): boolean => Object.hasOwn(decimalFields, field);

export const encodeMargin = ({ wallet, positions, orders }: MarginAccount): MarginAccountJson =>
  encodeDecimals({ wallet, positions, orders });

export const decodeMargin = (id: string, json: MarginAccountJson): MarginAccount => ({
  id,
  ...decodeDecimals<Pick<MarginAccount, 'wallet' | 'positions' | 'orders'>>(json, isDecimal),
});

export const encodeMarginOrder = (order: MarginOrder): MarginOrderJson => encodeDecimals(order);

export const decodeMarginOrder = (json: MarginOrderJson): MarginOrder =>
  decodeDecimals<MarginOrder>(json, isDecimal);
