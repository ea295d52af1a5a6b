import type { Decimal } from '../../../compute/model/decimal.js';
import { pairName, parsePair } from '../../../compute/model/market-pair.js';
import { decimalOf } from '../../../storage/accounts/position-updater.js';
import type { Prices } from '../../../storage/candles/prices.js';
import type { Storage } from '../../../storage/index.js';
import type { BookedTrade } from '../../../storage/ledger/booked-trade.js';
import type { Log } from '../../../storage/process/log.js';
import type { LiveEvent, TellLive } from '../../../storage/live/live-events.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import { bookedTradeOf } from './booked-trade-of.js';
import { paymentsOf } from './payments-of.js';
import { tradeOf } from './trade-of.js';

export interface BookTradesTools {
  storage: Pick<
    Storage,
    'channelRecords' | 'ledgerEntries' | 'openExecutions' | 'signals' | 'trades' | 'unbooked'
  >;
  prices: Pick<Prices, 'findMany'>;
  /** Hears whose result is known. */
  tell?: TellLive;
  log: Pick<Log, 'error'>;
}

/** How many executions are booked together. */
const chunk = 100;

/** An execution that cannot be booked is tried again after this time. */
const retryMs = 3_600_000;

/**
 * Books the trades of executions that have ended, the earliest first, and answers how many executions there were. They are
 * marked as booked last: after a crash they are booked again, with the same result under the same id. Several processes may
 * do so at once.
 */
export async function bookTrades(tools: BookTradesTools): Promise<number> {
  const { storage, log } = tools;
  const executions = await storage.unbooked.due(Date.now(), chunk);
  if (executions.length === 0) return 0;
  const signals = await storage.signals.ofIds([...new Set(executions.map(({ signalId }) => signalId))]);
  const bySignal = new Map(signals.map((signal) => [signal.id, signal]));
  const prices = await feePrices(tools, executions);
  const priceOf = (asset: string, quote: string) => prices.get(`${asset}/${quote}`) ?? null;
  const payments = await paymentsOf(storage, executions);
  const trades: BookedTrade[] = [];
  const failed: StoredExecution[] = [];
  for (const execution of executions)
    try {
      const signal = bySignal.get(execution.signalId) ?? null;
      const trade = tradeOf(execution, signal, priceOf, payments.get(execution.id));
      if (trade) trades.push(bookedTradeOf(execution, trade));
    } catch (error) {
      log.error({ execution: execution.id, err: error }, 'trade not booked');
      failed.push(execution);
    }
  await storage.trades.book(trades);
  await storage.channelRecords.markDue(trades);
  const booked = executions.filter((each) => !failed.includes(each));
  await storage.unbooked.noteBooked(booked);
  await tools.tell?.(booked.map(resultNews));
  await storage.unbooked.postpone(failed, Date.now() + retryMs);
  return executions.length;
}

const resultNews = ({ userId, signalId: id, exchange, status }: StoredExecution): LiveEvent => ({
  to: { userId },
  name: 'signal',
  data: { id, exchange, status, event: null },
});

/** The present prices of assets in which fees were paid, by pair. */
async function feePrices(
  { prices }: BookTradesTools,
  executions: readonly StoredExecution[],
): Promise<Map<string, Decimal>> {
  const found = new Map<string, Decimal>();
  for (const market of new Set(executions.map((each) => each.market))) {
    const names = new Set(executions.filter((each) => each.market === market).flatMap(feePairs));
    // Assets whose names the service cannot read have no price.
    const pairs = [...names].flatMap((name) => parsePair(name) ?? []);
    const known = await prices.findMany(market, pairs);
    for (const [n, pair] of pairs.entries()) {
      const price = known[n];
      if (price) found.set(pairName(pair), decimalOf(price.price));
    }
  }
  return found;
}

const feePairs = ({ orders, pair }: StoredExecution): string[] =>
  orders
    .flatMap(({ fills }) => fills.flatMap(({ otherFees = [] }) => otherFees))
    .map(({ asset }) => `${asset}/${parsePair(pair)?.quote}`);
