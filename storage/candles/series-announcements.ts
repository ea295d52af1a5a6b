import type { Redis } from 'ioredis';
import { tellLive } from '../live/live-events.js';
import { ChannelListener } from '../servers/channel-listener.js';

/** The channel on which writers of candles announce changed series: their ids, separated by spaces. */
export const seriesChannel = 'tidemark:series';

/** Announces that series of a pair have changed. Never rejects: caches expire by themselves if the message is lost. */
export function announceSeries(redis: Redis): (ids: readonly string[]) => Promise<void> {
  const tell = tellLive(redis);
  return async (ids) => {
    const announced = redis.publish(seriesChannel, ids.join(' ')).catch(() => undefined);
    await Promise.all([announced, tell([{ to: 'candles', name: 'candle', data: closedOf(ids) }])]);
  };
}

/** The pair of some series, and their intervals. */
function closedOf(ids: readonly string[]): object {
  const [market, pair] = ids[0].split(':');
  const [asset, tradeMarket] = pair.split('/');
  return { market, asset, tradeMarket, intervals: ids.map((id) => id.slice(id.lastIndexOf(':') + 1)) };
}

/** The ids in a message of `seriesChannel`. */
export const changedSeries = (message: string): string[] => message.split(' ');

export interface SeriesListener {
  /** Called with the ids of series that have changed. */
  changed: (ids: readonly string[]) => void;
  /** Called when the connection is lost; changes are missed until it is back. */
  disconnected?: () => void;
}

/** Listens for changed series on a connection that nothing else uses. Messages missed while it is lost are not repeated. */
export const listenToSeries = (
  subscriber: Redis,
  { changed, disconnected }: SeriesListener,
): ChannelListener =>
  new ChannelListener(subscriber, {
    channel: seriesChannel,
    onMessage: (message) => changed(changedSeries(message)),
    onMissed: () => disconnected?.(),
  });
