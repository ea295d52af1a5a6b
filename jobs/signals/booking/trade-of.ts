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

type TradedExecution = Pick<StoredExecution, 'state' | 'orders' | 'pair' | 'deliveryPrice'>;

/** An execution as a trade, from its first fill to its last; null if nothing was filled. */
export function tradeOf(
  { state, orders, pair, deliveryPrice }: TradedExecution,
  signal: Pick<PartnerSignal, 'terms' | 'commands' | 'createdAt'> | null,
  priceOf: PriceOf,
  payments: readonly TradePayment[] = [],
): ClosedTrade | null {
  if (!state) return null;
  const execution = decodeExecution(state);
  const { base, quote } = parsePair(pair)!;
  const fills = orders
    .flatMap((order) => {
      const isOwnEntry = execution.entries.some(({ id, kind }) => id === order.leg && kind === 'entry');
      const named = {
        signalPrice: signalPrice(execution, order),
        deliveryPrice: isOwnEntry && deliveryPrice ? Decimal.read(deliveryPrice) : null,
      };
      return order.fills.map((fill) => tradeFill(order, fill, named, (asset) => priceOf(asset, quote)));
    })
    .sort((one, other) => one.at - other.at);
  if (fills.length === 0) return null;
  const { side, leverage, position } = execution;
  const { funding } = position;
  return {
    side,
    leverage,
    base,
    quote,
    fills,
    funding,
    payments,
    initialStop: signal && initialStop(signal),
  };
}

function tradeFill(
  { side }: StoredOrder,
  { quantity, price, baseFee, quoteFee, otherFees = [], at }: StoredFill,
  named: Pick<TradeFill, 'signalPrice' | 'deliveryPrice'>,
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
    ...named,
  };
}

/** The price that the signal names for an order: of its entry or target, or of its stop. */
function signalPrice({ entries, targets }: Execution, { leg, stopPrice }: StoredOrder): Decimal | null {
  const named = entries.find(({ id }) => id === leg) ?? targets.find(({ id }) => id === leg);
  return named?.price ?? readOrNull(stopPrice);
}

/** The stop that a signal was created with: its own, or the trailing stop that its channel adds. */
export function initialStop({
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
