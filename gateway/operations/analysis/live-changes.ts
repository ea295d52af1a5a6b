import { pageOfStates, type PairState, type ScanParams } from '../../../compute/core-line/scan-states.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { Deps } from '../../context.js';

/** What the job of a scan is asked for: all rows, where the figure that sorts them is of now. */
export const scanOfAll = (params: Record<string, unknown>): Record<string, unknown> =>
  params.sort === 'change24h' ? { ...params, sort: null, limit: null, cursor: null } : params;

/**
 * The rows of a scan with the 24h change of now, which prices and positions tell as well: candles of a day would tell that of the
 * last midnight. Pairs against other currencies keep the change of their candles.
 */
export async function withLiveChanges(
  scan: { states: readonly PairState[] },
  params: Record<string, unknown>,
  { exchanges }: Pick<Deps, 'exchanges'>,
): Promise<object> {
  const assets = scan.states
    .filter(({ tradeMarket }) => tradeMarket === quoteCurrency)
    .map(({ asset }) => asset);
  const prices = await exchanges.pricesOf(paperName, assets);
  const states = scan.states.map((row) => {
    const price = row.tradeMarket === quoteCurrency ? prices.get(row.asset) : undefined;
    const change = price?.change24hPercent ?? null;
    return change === null ? row : { ...row, change24h: change, change24hAt: price!.time };
  });
  if (params.sort !== 'change24h') return { ...scan, states };
  const sorted = states.sort((one, other) => (other.change24h ?? -Infinity) - (one.change24h ?? -Infinity));
  const asOfMs = Math.max(0, ...states.map(({ asOf }) => asOf ?? 0));
  return pageOfStates(sorted, params as ScanParams, asOfMs);
}
