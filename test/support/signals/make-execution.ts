import { Decimal } from '../../../compute/model/decimal.js';
import type { Execution } from '../../../compute/signals/execution.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import {
  planExecution,
  type FollowSettings,
  type TradeSignal,
} from '../../../compute/signals/plan-execution.js';

const d = (text: string) => Decimal.parse(text);

export const testRules: PairRules = {
  tickSize: d('0.01'),
  stepSize: d('0.001'),
  minQuantity: d('0.001'),
  minNotional: d('5'),
};

/** A long from 99 to 100, targets at 110, 120 and 130, stop at 90. */
const longSignal: TradeSignal = {
  side: 'long',
  leverage: 1,
  entries: [{ type: 'limit', price: d('100'), zoneEnd: d('99'), percent: d('100') }],
  targets: [d('110'), d('120'), d('130')],
  stopLoss: d('90'),
  investPercent: null,
  entriesEndAt: null,
};

/** The same upside down: a short from 100 to 101, targets at 90, 80 and 70, stop at 110. */
const shortSignal: TradeSignal = {
  ...longSignal,
  side: 'short',
  entries: [{ type: 'limit', price: d('100'), zoneEnd: d('101'), percent: d('100') }],
  targets: [d('90'), d('80'), d('70')],
  stopLoss: d('110'),
};

/** Ten percent of a balance of 9,000: 900. */
export function makeExecution(
  signal: Partial<TradeSignal> = {},
  settings: Partial<FollowSettings> = {},
): Execution {
  const base = signal.side === 'short' ? shortSignal : longSignal;
  const plan = planExecution(
    { ...base, ...signal },
    { investPercent: d('10'), maxExposure: d('4'), stopOnExchange: false, ...settings },
    testRules,
    d('9000'),
  );
  if ('skipped' in plan) throw new Error(plan.skipped);
  return plan.execution;
}
