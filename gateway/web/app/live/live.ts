import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** What pages can hear of. */
export type LiveTopic = 'candle' | 'position' | 'signal' | 'order' | 'cluster';

interface LiveEvent {
  name: LiveTopic;
}

export const liveState = signal<'polling' | 'offline'>('polling');

/** When pages heard of news last. */
export const heardAt = signal<Date | null>(null);

const listeners = new Set<(event: LiveEvent) => void>();

/** Calls the listener with each event; returns what ends that. */
function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellListeners(event: LiveEvent): void {
  heardAt.value = new Date();
  for (const listener of listeners) listener(event);
}

const [gatheredMs, spreadMs] = [200, 3_000];

/** Calls back when one of these topics has news. */
export function useLive(topics: readonly LiveTopic[], callBack: () => void): void {
  const latest = useRef(callBack);
  latest.current = callBack;
  const names = topics.join();
  useEffect(() => {
    if (names === '') return;
    const wanted = new Set<string>(names.split(','));
    // Candles of many pairs close at once, for everybody: what is asked then is asked once, and not by all in the same moment.
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const end = onLiveEvent(({ name }) => {
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
  }, [names]);
}
