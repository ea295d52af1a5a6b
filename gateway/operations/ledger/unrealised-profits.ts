import type { ProfitGrouping } from '../../../compute/ledger/profit-groups.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';
import type { OpenedExecution } from '../../../storage/signals/execution-reads.js';
import type { Deps } from '../../context.js';
import { accountPositions, priceFinder } from '../portfolio/account-positions.js';

/** Profits in USDT by group. */
export type UnrealisedProfits = ReadonlyMap<string, number>;

type Tools = Pick<Deps, 'storage' | 'exchanges'>;

/**
 * What open positions have gained or lost so far, where price and cost are known: of all positions by asset or exchange, of
 * what executions hold by channel. Null by day, because an unrealised profit belongs to no day.
 */
export async function unrealisedProfits(
  userId: string,
  grouping: ProfitGrouping,
  tools: Tools,
): Promise<UnrealisedProfits | null> {
  if (grouping === 'day') return null;
  const gains =
    grouping === 'channel' ? await byChannel(userId, tools) : await byPosition(userId, grouping, tools);
  const sums = new Map<string, number>();
  for (const { group, gain } of gains) sums.set(group, (sums.get(group) ?? 0) + gain);
  return sums;
}

interface Gain {
  group: string;
  gain: number;
}

async function byPosition(userId: string, grouping: 'asset' | 'exchange', tools: Tools): Promise<Gain[]> {
  const { positions } = await accountPositions(userId, null, tools);
  return positions.flatMap((each) => (each.pnl === null ? [] : [{ group: each[grouping], gain: each.pnl }]));
}

async function byChannel(userId: string, { storage, exchanges }: Tools): Promise<Gain[]> {
  const open = await storage.executionReads.openOf(userId);
  const held = open.filter(({ state }) => Number(state?.position.quantity ?? 0) !== 0);
  const priceOf = await priceFinder(held, ({ pair }) => parsePair(pair)!.base, { exchanges });
  return held.flatMap((each) => {
    const price = parsePair(each.pair)!.quote === quoteCurrency ? priceOf(each)?.price : undefined;
    return price === undefined ? [] : [{ group: each.channelId, gain: gainOf(each, price) }];
  });
}

/** The value of an execution's holding at a price, less its share of the cost of the entries. */
export function gainOf({ state }: Pick<OpenedExecution, 'state'>, price: number): number {
  const { quantity, entered, entryValue } = state!.position;
  const held = Number(quantity);
  const gain = held * price - (Number(entryValue) * held) / Number(entered);
  return state!.side === 'long' ? gain : -gain;
}
