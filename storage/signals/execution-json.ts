import type { Execution } from '../../compute/signals/execution.js';
import {
  decodeDecimals,
  encodeDecimals,
  type DecimalFields,
  type DecimalsAsText,
} from '../servers/decimals-as-text.js';

/** The state of an execution as it is stored. */
export type ExecutionJson = DecimalsAsText<Execution>;

/** Every field of an execution that holds a decimal. A field that is missing here does not compile. */
const decimalFields: Record<DecimalFields<Execution>, true> = {
  amount: true,
  best: true,
  distance: true,
  entered: true,
  entryValue: true,
  exitValue: true,
  exited: true,
  filled: true,
  filledAtEnd: true,
  filledValue: true,
  funding: true,
  invested: true,
  lastPrice: true,
  leastBuyRatio: true,
  leastSellRatio: true,
  limit: true,
  maxInvested: true,
  maxMarketQuantity: true,
  maxQuantity: true,
  maxSlippagePercent: true,
  minNotional: true,
  minQuantity: true,
  mostBuyRatio: true,
  mostSellRatio: true,
  percent: true,
  price: true,
  quantity: true,
  quoteFees: true,
  stepSize: true,
  stopPrice: true,
  targetPrice: true,
  tickSize: true,
  trigger: true,
  worst: true,
  zoneEnd: true,
};

export const encodeExecution = (execution: Execution): ExecutionJson => encodeDecimals(execution);

export const decodeExecution = (json: ExecutionJson): Execution =>
  decodeDecimals<Execution>(json, (field) => Object.hasOwn(decimalFields, field));
