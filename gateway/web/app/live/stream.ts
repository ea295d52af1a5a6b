import { liveState, tellListeners, type LiveEvent } from './live.js';

const eventNames = ['prices', 'flip', 'candle', 'position', 'signal', 'order', 'cluster', 'reset'];
const hiddenMs = 300_000;
const pollMs = 15_000;
const failuresUntilPolling = 3;
const lockName = 'tidemark-live';

/** What tells the other tabs of this browser: HTTP/1.1 has six connections a host, so one tab alone holds the stream. */
const channel = new BroadcastChannel(lockName);
let leading: AbortController | null = null;
let hiding: ReturnType<typeof setTimeout> | undefined;
let polling: ReturnType<typeof setInterval> | undefined;
let topics = '';

/** Opens the live stream in one of the browser's tabs, and keeps it while one of them is seen. */
export function startLive(wanted: readonly string[]): void {
  if (topics === '') {
    channel.addEventListener(
      'message',
      ({ data }: MessageEvent<LiveEvent | { state: 'live' | 'reconnecting' | 'offline' }>) => {
        if ('state' in data) liveState.value = data.state;
        else tellListeners(data);
      },
    );
    document.addEventListener('visibilitychange', watchHidden);
    window.addEventListener('offline', () => setState('offline'));
    window.addEventListener('online', () => setState('reconnecting'));
  }
  if (topics === wanted.join()) return;
  topics = wanted.join();
  lead();
}

function watchHidden(): void {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(stopLeading, hiddenMs);
  else if (!leading) lead();
}

function stopLeading(): void {
  leading?.abort();
  leading = null;
}

function lead(): void {
  stopLeading();
  const { signal } = (leading = new AbortController());
  // Browsers offer locks over https and on this machine alone; elsewhere each tab has a stream of its own.
  if (!('locks' in navigator)) return void holdStream(signal);
  navigator.locks.request(lockName, { signal }, () => holdStream(signal)).catch(() => undefined);
}

/** Holds the stream until the signal ends it. Three failures in a row, or the service's own end, lead to polling. */
function holdStream(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource(`/backend/stream?topics=${topics}`);
    let failures = 0;
    const end = () => {
      source.close();
      clearInterval(polling);
      resolve();
    };
    signal.addEventListener('abort', end);
    source.addEventListener('open', () => {
      failures = 0;
      clearInterval(polling);
      setState('live');
    });
    source.addEventListener('error', () => {
      failures++;
      setState('reconnecting');
      if (failures >= failuresUntilPolling || source.readyState === EventSource.CLOSED) poll(source);
    });
    source.addEventListener('closed', () => poll(source));
    for (const name of eventNames)
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        tell({ name, data: JSON.parse(data) as unknown }),
      );
  });
}

function poll(source: EventSource): void {
  source.close();
  clearInterval(polling);
  setState('offline');
  polling = setInterval(() => tell({ name: 'poll', data: null }), pollMs);
}

function tell(event: LiveEvent): void {
  tellListeners(event);
  channel.postMessage(event);
}

function setState(state: 'live' | 'reconnecting' | 'offline'): void {
  liveState.value = state;
  channel.postMessage({ state });
}
