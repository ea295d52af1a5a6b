import { referenceOutcome, type ReferenceSignal } from '../../../compute/ledger/reference-outcome.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { intervalMs } from '../../../compute/model/interval.js';
import type { Market, Series } from '../../../storage/candles/series.js';
import type { Storage } from '../../../storage/index.js';
import type { ReferencedSignal } from '../../../storage/ledger/signal-outcomes.js';
import type { Channel } from '../../../storage/signals/channel.js';
import type { StoredReference } from '../../../storage/signals/partner-signal.js';
import { initialStop } from './trade-of.js';

type ReferenceStorage = Pick<Storage, 'candles' | 'series' | 'signalOutcomes'>;

const hourMs = intervalMs('1h');

/**
 * Computes what the levels of a channel's signals have brought by the 1h candles of their market, for signals since a time
 * whose outcome may still change. `marketsOf`: the markets of an exchange, the first with candles of the pair counts.
 */
export async function updateReferences(
  storage: ReferenceStorage,
  { id, partnerId }: Pick<Channel, 'id' | 'partnerId'>,
  since: Date,
  marketsOf: (exchange: string) => readonly Market[],
): Promise<void> {
  const signals = await storage.signalOutcomes.withoutReference(partnerId, id, since);
  const byPair = groupBy(signals, ({ terms }) => `${terms.exchange} ${terms.coin}/${terms.quote}`);
  for (const group of byPair.values()) {
    const { exchange, coin: base, quote } = group[0].terms;
    const series = await firstSeries(storage, marketsOf(exchange), { base, quote });
    await storage.signalOutcomes.putReferences(await referencesOf(storage, group, series));
  }
}

async function firstSeries(
  { series }: ReferenceStorage,
  markets: readonly Market[],
  pair: { base: string; quote: string },
): Promise<Series | null> {
  for (const market of markets) {
    const found = await series.find({ market, ...pair, interval: '1h' });
    if (found) return found;
  }
  return null;
}

async function referencesOf(
  { candles }: ReferenceStorage,
  signals: readonly ReferencedSignal[],
  series: Series | null,
): Promise<Map<string, StoredReference>> {
  const unpriced: StoredReference = { state: 'unpriced', returnPercent: null, r: null, at: null };
  if (!series) return new Map(signals.map(({ id }) => [id, unpriced]));
  const firstMs = Math.min(...signals.map(({ createdAt }) => createdAt.getTime()));
  const endMs = series.last + hourMs;
  const count = Math.max(1, Math.ceil((endMs - firstMs) / hourMs));
  const history = await candles.closedBy(series, endMs, count);
  return new Map(
    signals.map((signal): [string, StoredReference] => {
      // What happened before the first candle is not known.
      if (signal.createdAt.getTime() < series.first - hourMs) return [signal.id, unpriced];
      const { at, ...outcome } = referenceOutcome(referenceSignal(signal), history);
      return [signal.id, { ...outcome, at: at === null ? null : new Date(at) }];
    }),
  );
}

/** The levels that a stored signal was created with. */
function referenceSignal(signal: ReferencedSignal): ReferenceSignal {
  const { terms, commands, createdAt } = signal;
  const stop = initialStop(signal);
  const cancel = commands.find(({ event }) => event.type === 'cancel');
  return {
    side: terms.side,
    leverage: terms.leverage,
    entries: terms.entries.map(({ price, zoneEnd, percent }) => ({
      price: Number(price),
      zoneEnd: zoneEnd === null ? null : Number(zoneEnd),
      percent: Number(percent),
    })),
    targets: terms.targets.map(Number),
    stopLoss: stop && Number(stop.toString()),
    createdAt: createdAt.getTime(),
    entriesEndAt: terms.ttlMs === null ? null : createdAt.getTime() + terms.ttlMs,
    cancelledAt: cancel?.at.getTime() ?? null,
  };
}
