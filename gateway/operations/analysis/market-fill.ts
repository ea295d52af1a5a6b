import { AppError } from '../../../compute/model/errors.js';
import type { MarketFill } from '../../../storage/candles/feeds.js';
import type { Deps } from '../../context.js';

/** Seconds after which to ask again for a pair whose candles are on their way. */
const retryAfterSeconds = 5;

/** The state of a market's history in words: `filling 7/21`, `filled 21/21`, `imported` or `waiting for a market worker`. */
export function fillWords(market: string, { pairs, pending }: MarketFill): string {
  if (market === 'csv') return 'imported';
  if (pairs === 0) return 'waiting for a market worker';
  return `${pending.length === 0 ? 'filled' : 'filling'} ${pairs - pending.length}/${pairs}`;
}

/** Which candles a request wants: of one pair, or of any against a quote currency. */
interface WantedCandles {
  base?: string | undefined;
  quote: string;
}

/**
 * Throws `market_filling` where the wanted candles are on their way, or where no market worker has chosen its pairs yet.
 * Called only for candles that are not stored: a request for stored ones reads nothing more. `stored`: all series of the
 * market.
 */
export async function refuseWhileFilling(
  { base, quote }: WantedCandles,
  { storage, settings }: Pick<Deps, 'storage' | 'settings'>,
  stored: readonly unknown[],
): Promise<void> {
  const market = settings.MARKET;
  const fill = await storage.feeds.fill(market);
  const coming = fill.pending.find(
    (pair) => pair.quote === quote && (base === undefined || pair.base === base),
  );
  const isWaiting = stored.length === 0 && fill.pairs === 0 && market !== 'csv';
  if (!coming && !isWaiting) return;
  const what = coming
    ? `the candles of "${coming.base}/${quote}" are on their way`
    : 'there are no candles yet';
  const message = `${what}: market: ${fillWords(market, fill)}`;
  throw new AppError('market_filling', message, { details: { retryAfterSeconds } });
}
