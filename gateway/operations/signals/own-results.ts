import { ProfitGroups } from '../../../compute/ledger/profit-groups.js';
import type { Storage } from '../../../storage/index.js';
import { count, figureOrNull, objectField, text } from '../output-fields.js';

/** What the signals of a channel have earned the user in one quote currency. */
export interface ChannelResult {
  tradeMarket: string;
  profit: string;
  trades: number;
  wins: number;
  winRatePercent: number | null;
}

export const channelResultField = objectField<ChannelResult>(
  {
    tradeMarket: text('quote currency; profits in different ones are never added up'),
    profit: text('realised profit net of fees, a decimal'),
    trades: count('trades that closed'),
    wins: count('those that earned something'),
    winRatePercent: figureOrNull('percent of the trades that earned something'),
  },
  'a result',
);

/** Most trades that are summed up: the newest. */
const mostSummed = 20_000;

/** The names of channels, and what the signals of each have earned a user. */
export async function ownResults(userId: string, storage: Pick<Storage, 'channels' | 'trades'>) {
  const groups = new ProfitGroups('channel', '');
  const [channels] = await Promise.all([
    storage.channels.list(),
    (async () => {
      for await (const line of storage.trades.profits(userId, new Date(0), mostSummed)) groups.add(line);
    })(),
  ]);
  const results = new Map<string, ChannelResult[]>();
  for (const { group, tradeMarket, profit, trades, wins } of groups.rows())
    results.set(group, [
      ...(results.get(group) ?? []),
      { tradeMarket, profit, trades, wins, winRatePercent: trades === 0 ? null : (100 * wins) / trades },
    ]);
  return { names: new Map(channels.map(({ id, name }) => [id, name])), results };
}
