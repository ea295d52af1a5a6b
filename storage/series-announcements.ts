import type { Redis } from 'ioredis';
import { ChannelListener } from './channel-listener.js';
import type { Market } from './series.js';

/** The channel on which writers of candles tell which series have changed: ids, separated by spaces. */
const channel = 'tidemark:series';

/** Where Redis counts the changes of a market. */
export const versionKey = (market: Market): string => `tidemark:version:${market}`;

/**
 * Tells everyone who listens that series have changed. What cannot be told while Redis is away is told when it is back:
 * readers of series look again by themselves, but answers about a whole market are good for as long as its version.
 */
export function announceSeries(redis: Redis): (ids: readonly string[]) => Promise<void> {
  const untold = new Set<string>();
  const tell = async () => {
    const ids = [...untold];
    const told = redis.multi();
    for (const market of new Set(ids.map((id) => id.split(':')[0]))) told.incr(versionKey(market));
    untold.clear();
    try {
      await told.publish(channel, ids.join(' ')).exec();
    } catch {
      for (const id of ids) untold.add(id);
    }
  };
  redis.on('ready', () => void (untold.size > 0 && tell()));
  return (ids) => {
    for (const id of ids) untold.add(id);
    return tell();
  };
}

export interface SeriesListener {
  /** Series, by id, that have changed. */
  changed: (ids: readonly string[]) => void;
  /** Nothing is heard any more, until the connection is back. */
  deaf?: () => void;
}

/** Hears of changed series over a connection of its own; what is told while that is lost is not told again. */
export const listenToSeries = (subscriber: Redis, { changed, deaf }: SeriesListener): ChannelListener =>
  new ChannelListener(subscriber, {
    channel,
    heard: (ids) => changed(ids.split(' ')),
    lost: () => deaf?.(),
  });
