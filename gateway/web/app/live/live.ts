import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** What pages can hear of. `prices` are in `live-prices.ts`. */
export type LiveTopic = 'flip' | 'candle' | 'position' | 'signal' | 'order' | 'cluster';

/** An event of the stream, as the tab that holds it passes it on to the others. */
export interface LiveEvent {
  name: string;
  data: unknown;
}

export const liveState = signal<'live' | 'reconnecting' | 'offline'>('reconnecting');

/** When the last event or answer to polling came. */
export const heardAt = signal<Date | null>(null);

const listeners = new Set<(event: LiveEvent) => void>();

/** Calls the listener with each event; returns what ends that. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellListeners(event: LiveEvent): void {
  heardAt.value = new Date();
  for (const listener of listeners) listener(event);
}

/** Calls back when one of these topics has news, when the stream lost events of it, and every 15 s while there is no stream. */
export function useLive(topics: readonly LiveTopic[], callBack: () => void): void {
  const latest = useRef(callBack);
  latest.current = callBack;
  const names = topics.join();
  useEffect(() => {
    if (names === '') return;
    const wanted = new Set([...names.split(','), 'reset', 'poll']);
    return onLiveEvent(({ name }) => {
      if (wanted.has(name)) latest.current();
    });
  }, [names]);
}
