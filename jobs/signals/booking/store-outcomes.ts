import { medianResult, type FollowerFigures } from '../../../compute/ledger/track-record-of.js';
import { tradeResult } from '../../../compute/ledger/trade-result.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import { decimalOf } from '../../../storage/accounts/position-updater.js';
import type { Prices } from '../../../storage/candles/prices.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { Storage } from '../../../storage/index.js';
import type { FollowerResult } from '../../../storage/ledger/booked-trades.js';
import type { HeldExecution } from '../../../storage/ledger/open-executions.js';
import type { SignalOutcome } from '../../../storage/ledger/signal-outcomes.js';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';
import { readOrNull } from '../trade-signal-of.js';
import { tradeOf } from './trade-of.js';

export interface OutcomeTools {
  storage: Pick<Storage, 'openExecutions' | 'signalOutcomes' | 'signals' | 'trades'>;
  prices: Pick<Prices, 'findMany'>;
}

/** The result of a follower so far; `closedAt` is null while it holds a position. */
type Result = FollowerFigures & Pick<FollowerResult, 'exchange' | 'costPercent'> & { closedAt: Date | null };

/**
 * Stores what the signals of a channel have brought their followers. Who still holds a loss counts with it, at the last price;
 * who holds a gain counts once it is closed.
 */
export async function storeOutcomes(
  { storage, prices }: OutcomeTools,
  channelId: string,
  signalIds: readonly string[],
  nowMs: number,
): Promise<void> {
  const changed: SignalOutcome[] = [];
  for (const signalId of signalIds) {
    const [closed, held, [signal]] = await Promise.all([
      storage.trades.ofSignal(signalId),
      storage.openExecutions.holding(signalId),
      storage.signals.ofIds([signalId]),
    ]);
    const losers = signal ? await openLosersOf(held, signal, prices) : [];
    for (const isPaper of [false, true]) {
      const followers = [...closed, ...losers].filter(({ exchange }) => (exchange === paperName) === isPaper);
      if (followers.length === 0) {
        await storage.signalOutcomes.remove({ signalId, isPaper });
        continue;
      }
      const isOpen = followers.some((each) => each.closedAt === null);
      const closedAt = Math.max(...followers.map((each) => each.closedAt?.getTime() ?? nowMs));
      const costPercent = meanOf(followers.map((each) => each.costPercent));
      const figures = { ...medianResult(followers), costPercent, isOpen, closedAt: new Date(closedAt) };
      changed.push({ signalId, isPaper, channelId, followers: followers.length, ...figures });
    }
  }
  await storage.signalOutcomes.put(changed);
}

/** The followers of a signal who hold a loss at the last price, with what they have realised. */
async function openLosersOf(
  held: readonly HeldExecution[],
  signal: PartnerSignal,
  prices: OutcomeTools['prices'],
): Promise<Result[]> {
  if (held.length === 0) return [];
  const pair = parsePair(held[0].pair)!;
  const markets = [...new Set(held.map(({ market }) => market))];
  const found = await Promise.all(markets.map((market) => prices.findMany(market, [pair])));
  const marks = new Map(markets.map((market, n) => [market, found[n][0]]));
  return held.flatMap((execution) => {
    const mark = marks.get(execution.market);
    const price = mark ? decimalOf(mark.price) : readOrNull(execution.state?.lastPrice ?? null);
    const trade = price && tradeOf(execution, signal, () => null);
    if (!trade) return [];
    const { left, ...rest } = tradeResult(trade);
    const side = left.sign > 0 ? ('sell' as const) : ('buy' as const);
    const quantity = left.sign > 0 ? left : left.negated();
    const fees = { baseFee: Decimal.zero, quoteFee: Decimal.zero, otherFees: [] };
    const at = trade.fills.at(-1)!.at;
    const sale = { side, quantity, price, ...fees, at, signalPrice: null, deliveryPrice: null };
    const { profit, returnPercent, r } = tradeResult({ ...trade, fills: [...trade.fills, sale] });
    if (profit.sign >= 0) return [];
    const { entrySlippagePercent, deliverySlippagePercent } = rest;
    const { exchange } = execution;
    const figures = { returnPercent, r, entrySlippagePercent, deliverySlippagePercent };
    return [{ exchange, closedAt: null, costPercent: null, ...figures }];
  });
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
