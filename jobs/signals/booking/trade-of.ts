import { Decimal } from '../../../compute/model/decimal.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import type { ValuedFee } from '../../../compute/ledger/realised-profits.js';
import type { ClosedTrade, TradeFill, TradePayment } from '../../../compute/ledger/trade-result.js';
import type { Execution } from '../../../compute/signals/execution.js';
import { decodeExecution } from '../../../storage/signals/execution-json.js';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';
import type { StoredExecution, StoredFill, StoredOrder } from '../../../storage/signals/stored-execution.js';
import { readOrNull } from '../trade-signal-of.js';

/** The price of an asset in quote units; null where none is known. */
export type PriceOf = (asset: string, quote: string) => Decimal | null;

/** An execution as a trade, from its first fill to its last; null if nothing was filled. */
export function tradeOf(
  { state, orders, pair }: Pick<StoredExecution, 'state' | 'orders' | 'pair'>,
  signal: Pick<PartnerSignal, 'terms' | 'commands' | 'createdAt'> | null,
  priceOf: PriceOf,
  payments: readonly TradePayment[] = [],
): ClosedTrade | null {
  if (!state) return null;
  const execution = decodeExecution(state);
  const { base, quote } = parsePair(pair)!;
  const fills = orders
    .flatMap((order) =>
      order.fills.map((fill) =>
        tradeFill(order, fill, signalPrice(execution, order), (asset) => priceOf(asset, quote)),
      ),
    )
    .sort((one, other) => one.at - other.at);
  if (fills.length === 0) return null;
  const { side, leverage, position } = execution;
  const { funding } = position;
  return {
    ...{ side, leverage, base, quote, fills, funding, payments },
    initialStop: signal && initialStop(signal),
  };
}

function tradeFill(
  { side }: StoredOrder,
  { quantity, price, baseFee, quoteFee, otherFees = [], at }: StoredFill,
  named: Decimal | null,
  priceOf: (asset: string) => Decimal | null,
): TradeFill {
  return {
    side,
    quantity: Decimal.read(quantity),
    price: Decimal.read(price),
    baseFee: Decimal.read(baseFee),
    quoteFee: Decimal.read(quoteFee),
    otherFees: otherFees.map(({ asset, amount }): ValuedFee => {
      const [fee, worth] = [Decimal.read(amount), priceOf(asset)];
      return { asset, amount: fee, value: worth && fee.times(worth) };
    }),
    at: at.getTime(),
    signalPrice: named,
  };
}

/** The price that the signal names for an order: of its entry or target, or of its stop. */
function signalPrice({ entries, targets }: Execution, { leg, stopPrice }: StoredOrder): Decimal | null {
  const named = entries.find(({ id }) => id === leg) ?? targets.find(({ id }) => id === leg);
  return named?.price ?? readOrNull(stopPrice);
}

/** The stop that a signal was created with: its own, or the trailing stop that its channel adds. */
function initialStop({
  terms,
  commands,
  createdAt,
}: Pick<PartnerSignal, 'terms' | 'commands' | 'createdAt'>) {
  if (terms.stopLoss !== null) return Decimal.read(terms.stopLoss);
  const added = commands.find(
    ({ at, event }) => event.type === 'trailing_stop' && at.getTime() === createdAt.getTime(),
  );
  return added?.event.type === 'trailing_stop' ? Decimal.read(added.event.stop.trigger) : null;
}
