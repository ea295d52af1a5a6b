import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** What pages can hear of; prices are in `live-prices.ts`. */
export type LiveNews = 'flip' | 'candle' | 'position' | 'signal' | 'order' | 'cluster';

/**
 * An event of the stream. `poll` stands for news of everything while there is no stream, `sent` for what this page has changed
 * itself, or was refused while its session had ended, `begun` for what may have happened before the first stream was there.
 */
export interface StreamEvent {
  name: string;
  data: unknown;
}

export const liveState = signal<'live' | 'reconnecting' | 'offline'>('reconnecting');

/** When pages heard of news last. */
export const heardAt = signal<Date | null>(null);

const listeners = new Set<(event: StreamEvent) => void>();

/** Calls the listener with each event; returns what ends that. */
export function onStreamEvent(listener: (event: StreamEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellListeners(event: StreamEvent): void {
  if (!['poll', 'sent', 'begun'].includes(event.name)) heardAt.value = new Date();
  for (const listener of listeners) listener(event);
}

const [gatheredMs, spreadMs] = [200, 3_000];

/** What a user has to know; other news comes again with the next candle. */
const ownNews: readonly LiveNews[] = ['position', 'signal', 'order'];

/** Calls back when one of these has news, when the page has changed something, when events were lost, and every 15 s while there is no stream; null: never. */
export function useLive(names: readonly LiveNews[] | null, callBack: () => void): void {
  const latest = useRef(callBack);
  latest.current = callBack;
  const key = names?.join();
  useEffect(() => {
    if (key === undefined) return;
    const wanted = new Set(key === '' ? ['sent'] : [...key.split(','), 'sent', 'reset', 'poll']);
    if (ownNews.some((name) => wanted.has(name))) wanted.add('begun');
    // Candles of many pairs close at once, for everybody: what is asked then is asked once, and not by all in the same moment.
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const end = onStreamEvent(({ name }) => {
      if (!wanted.has(name) || waiting !== undefined) return;
      waiting = setTimeout(
        () => {
          waiting = undefined;
          latest.current();
        },
        gatheredMs + Math.random() * (name === 'candle' ? spreadMs : 0),
      );
    });
    return () => {
      end();
      clearTimeout(waiting);
    };
  }, [key]);
}
