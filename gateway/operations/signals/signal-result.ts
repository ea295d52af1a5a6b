import { tradeResult } from '../../../compute/ledger/trade-result.js';
import type { Decimal } from '../../../compute/model/decimal.js';
import { tradeOf } from '../../../jobs/signals/booking/trade-of.js';
import type { BookedTrade } from '../../../storage/ledger/booked-trade.js';
import type { FollowedExecution } from '../../../storage/signals/execution-reads.js';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';
import { gainOf } from '../ledger/unrealised-profits.js';
import {
  date,
  figureOrNull,
  flag,
  list,
  objectField,
  oneOf,
  text,
  decimal,
  type Answered,
} from '../output-fields.js';

/** What came of a signal for the user so far. Money is in quote units. */
export type SignalResult = Answered<typeof signalResultFields>;

export const signalResultFields = {
  isFinal: flag('whether the execution has ended and its trade is booked'),
  averageEntry: decimal('average price of the entries; null without one').allow(null),
  averageExit: decimal('average price of the exits; null without one').allow(null),
  entered: decimal('quantity of the entries'),
  exited: decimal('quantity of the exits'),
  profit: decimal('realised profit net of fees by average cost'),
  unrealised: figureOrNull('profit of what is still held at the newest price; null where that is unknown'),
  r: figureOrNull('profit so far, unrealised included, as a multiple of what was at risk to the first stop'),
  entrySlippagePercent: figureOrNull(
    'how much worse than the entry prices of the signal the entries filled, in percent',
  ),
  exitSlippagePercent: figureOrNull('how much worse than targets and stop the exits filled, in percent'),
  fills: list(
    objectField(
      {
        at: date('when'),
        leg: text('part of the signal that it executes'),
        side: oneOf(['buy', 'sell'], 'direction'),
        quantity: decimal('quantity'),
        price: decimal('price'),
        signalPrice: decimal('price that the signal names for it; null where it names none').allow(null),
        slippagePercent: figureOrNull('how much worse than that it was; below 0: better'),
      },
      'a fill',
    ),
    'your fills, the oldest first',
  ),
};

/** The result of an execution; null before its first fill. `price`: the newest; null where it is unknown. */
export function signalResult(
  execution: FollowedExecution,
  signal: PartnerSignal,
  booked: BookedTrade | null,
  price: number | null,
): SignalResult | null {
  const trade = tradeOf(execution, signal, () => null);
  if (!trade) return null;
  const result = tradeResult(trade);
  const isFinal = booked !== null;
  const gain = isFinal ? 0 : unrealisedOf(execution, price);
  const realised = Number(booked?.profit ?? result.profit.toString());
  const risk = isFinal ? null : riskOf(execution, trade.initialStop);
  return {
    isFinal,
    averageEntry: result.averageEntry?.toString() ?? null,
    averageExit: result.averageExit?.toString() ?? null,
    entered: result.entered.toString(),
    exited: result.exited.toString(),
    profit: booked?.profit ?? result.profit.toString(),
    unrealised: gain,
    r: isFinal ? booked.r : gain === null || risk === null ? null : (realised + gain) / risk,
    entrySlippagePercent: result.entrySlippagePercent,
    exitSlippagePercent: result.exitSlippagePercent,
    fills: fillsBeside(execution),
  };
}

/** The value of the holding at the newest price, less its share of the cost of the entries. */
function unrealisedOf({ state }: FollowedExecution, price: number | null): number | null {
  if (Number(state!.position.quantity) === 0) return 0;
  return price === null ? null : gainOf({ state }, price);
}

/** What the entries would have lost at the first stop; null without a stop, and for entries beyond it. */
function riskOf({ state }: FollowedExecution, stop: Decimal | null): number | null {
  if (!stop) return null;
  const { entered, entryValue } = state!.position;
  const lost = Number(entryValue) - Number(entered) * Number(stop.toString());
  const risk = state!.side === 'long' ? lost : -lost;
  return risk > 0 ? risk : null;
}

function fillsBeside({ state, orders }: FollowedExecution): SignalResult['fills'] {
  const legs = [...(state?.entries ?? []), ...(state?.targets ?? [])];
  const prices = new Map(legs.map(({ id, price }) => [id, price]));
  return orders
    .flatMap(({ leg, side, stopPrice, fills }) =>
      fills.map(({ at, quantity, price }) => {
        const signalPrice = prices.get(leg) ?? stopPrice;
        const above = signalPrice === null ? null : (Number(price) / Number(signalPrice) - 1) * 100;
        const slippagePercent = above === null || side === 'buy' ? above : -above;
        return { at: at.toISOString(), leg, side, quantity, price, signalPrice, slippagePercent };
      }),
    )
    .sort((one, other) => (one.at < other.at ? -1 : 1));
}
