import { tradingAccounts } from '../../../compute/model/trading-account.js';
import type { ExecutionStatus } from '../../../compute/signals/execution.js';
import type {
  PartnerSignal,
  SignalEntryTerms,
  SignalTerms,
} from '../../../storage/signals/partner-signal.js';
import {
  count,
  date,
  flag,
  list,
  objectField,
  oneOf,
  text,
  decimal,
  type Answered,
  type Shown,
} from '../output-fields.js';
import { signalIdOutput } from './signal-id.js';
import type { TradeSide } from '../../../compute/model/risk-assessment.js';

/** An entry with a zone is named by the end at which it is ordered. */
const ofZone = (entry: SignalEntryTerms, side: TradeSide): SignalEntryTerms =>
  entry.zoneEnd === null ? entry : { ...entry, level: side === 'long' ? 'max' : 'min' };

/** The terms of a signal with the prices that later commands have given it. */
export function presentTerms({ terms, commands }: Pick<PartnerSignal, 'terms' | 'commands'>): SignalTerms {
  let present = terms;
  for (const { event } of commands) {
    if (event.type !== 'update_prices') continue;
    const { entries = {}, targets = {}, stopLoss = present.stopLoss } = event;
    present = {
      ...present,
      entries: present.entries.map((entry, index) =>
        ofZone({ ...entry, ...entries[`entry-${index + 1}`] }, present.side),
      ),
      targets: present.targets.map((price, index) => targets[`target-${index + 1}`] ?? price),
      stopLoss,
    };
  }
  return present;
}

/** States of an execution, in the order in which it may go through them. */
export const executionStatuses = [
  'queued',
  'entry_pending',
  'open',
  'closing',
  'closed',
  'expired',
  'cancelled',
  'skipped',
  'rejected',
] as readonly ExecutionStatus[];

/** A signal as its partner sees it; times are ISO 8601, prices and percents decimals as text. */
export type SignalView = Answered<typeof signalViewFields>;

/** The fields of a signal in answers to its partner. */
export const signalViewFields = {
  parent_signal_id: signalIdOutput,
  channel: text('id of the channel'),
  version: count('version of the API that it came by'),
  status: oneOf(['active', 'cancelled'], 'whether the partner has cancelled it'),
  created_at: date('when it was created'),
  coin: text('asset symbol'),
  trade_market: text('quote currency'),
  exchange: text('exchange'),
  type: oneOf(['long', 'short'], 'direction'),
  account: oneOf(tradingAccounts, 'account that trades'),
  leverage: count('multiplier'),
  margin_type: oneOf(['ISOLATED', 'CROSS'], 'kind of margin'),
  entry_mode: oneOf(['range', 'split', 'market'], 'how it enters'),
  entries: list(
    objectField(
      {
        type: oneOf(['limit', 'market'], 'type of the order'),
        price: decimal('worst price of the order'),
        zone_end: decimal('other end of the zone; null without one').allow(null),
        percent: decimal('percent of the investment'),
      },
      'an entry',
    ),
    'entries in the order in which the price reaches them',
  ),
  targets: list(decimal('a target'), 'targets in the order in which the price reaches them'),
  stop_loss: decimal('stop; null without one').allow(null),
  invest: decimal('percent of the balance of a subscriber; null: what they have set').allow(null),
  ttl_buy_order: count('for how long entries wait, in milliseconds; null: without an end').allow(null),
  delivered: count('subscribers to whom it was delivered'),
  is_delivered: flag('whether all subscribers have been looked at'),
  executions: objectField(
    Object.fromEntries(
      executionStatuses.map((status) => [status, count(`executions that are ${status}`)]),
    ) as Record<ExecutionStatus, Shown<number>>,
    'executions by state; of a signal with 1,000 or more as they were at most a minute ago',
  ),
};

/** A signal with the prices it has now. */
export function signalView(
  signal: PartnerSignal,
  counts: Partial<Record<ExecutionStatus, number>> = {},
): SignalView {
  const terms = presentTerms(signal);
  return {
    parent_signal_id: signal.id,
    channel: signal.channelId,
    version: terms.version,
    status: signal.status,
    created_at: signal.createdAt.toISOString(),
    coin: terms.coin,
    trade_market: terms.quote,
    exchange: terms.exchange,
    type: terms.side,
    account: terms.account,
    leverage: terms.leverage,
    margin_type: terms.marginType,
    entry_mode: terms.entryMode,
    entries: terms.entries.map(({ type, price, zoneEnd, percent }) => ({
      type,
      price,
      zone_end: zoneEnd,
      percent,
    })),
    targets: terms.targets,
    stop_loss: terms.stopLoss,
    invest: terms.investPercent,
    ttl_buy_order: terms.ttlMs,
    delivered: signal.delivery.delivered,
    is_delivered: signal.delivery.isDone,
    executions: Object.fromEntries(
      executionStatuses.map((status) => [status, counts[status] ?? 0]),
    ) as Record<ExecutionStatus, number>,
  };
}
