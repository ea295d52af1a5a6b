import { readEvents } from '../client/read-events.js';
import { liveState, type StreamEvent, tellListeners } from './live.js';

const [hiddenMs, pollMs, firstRetryMs] = [300_000, 15_000, 1_000];
/** The service says every 15 s that the stream is alive. */
const silentMs = 40_000;
const failuresUntilPolling = 3;

type Told =
  | { event: StreamEvent; id: string }
  | { state: typeof liveState.value }
  | 'who holds it?'
  | 'resume';

/** The id of the last event that this tab has heard of, from whichever tab: the next stream goes on from there. */
let lastId = '';
let channel: BroadcastChannel;
let wantedTopics: string;
let holding: AbortController | null = null;
let isHolder = false;

/**
 * Receives events, by one stream for all tabs of the browser (HTTP/1.1 has six connections a host): the tab that has the lock
 * holds it and tells the others. `user`: whose browser it is; empty for visitors.
 */
export function startLive(topics: string, user: string): void {
  wantedTopics = topics;
  channel = new BroadcastChannel(`tidemark live ${user}`);
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data === 'who holds it?') return void (isHolder && channel.postMessage({ state: liveState.value }));
    if (data === 'resume') return restart();
    if ('state' in data) return void (liveState.value = data.state);
    lastId = data.id;
    tellListeners(data.event);
  });
  let hiding: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(release, hiddenMs);
    else hold();
  });
  // A service on this machine is there without a network, too.
  for (const change of ['offline', 'online']) window.addEventListener(change, restart);
  const end = liveState.subscribe((state) => {
    if (state !== 'live') return;
    tellListeners({ name: 'begun', data: null });
    queueMicrotask(() => end());
  });
  channel.postMessage('who holds it?');
  hold();
}

/** Begins the stream again, which the service has closed for good with the session before; and asks for what was refused since. */
export function resumeLive(): void {
  channel.postMessage('resume' satisfies Told);
  restart();
  tellListeners({ name: 'sent', data: null });
}

function restart(): void {
  release();
  hold();
}

function release(): void {
  holding?.abort();
  holding = null;
}

function hold(): void {
  if (holding) return;
  const { signal } = (holding = new AbortController());
  // Browsers offer locks over https and on this machine alone; elsewhere each tab has a stream of its own.
  if (!('locks' in navigator)) return void follow(signal);
  navigator.locks.request(channel.name, { signal }, () => follow(signal)).catch(() => undefined);
}

/** Keeps a stream until the signal ends it. While there is none after three attempts, it says every 15 s that there may be news. */
async function follow(signal: AbortSignal): Promise<void> {
  isHolder = true;
  let [failures, isClosed] = [0, false];
  while (!signal.aborted) {
    let retryMs = firstRetryMs;
    failures++;
    try {
      if (!isClosed)
        for await (const next of readStream(signal)) {
          failures = 0;
          isClosed = next === null;
          retryMs = next ?? pollMs;
          show('live');
        }
    } catch {
      // The next attempt shows whether the service is there again.
    }
    if (signal.aborted) break;
    const isAway = isClosed || failures >= failuresUntilPolling;
    show(isAway ? 'offline' : 'reconnecting');
    if (isAway) tell({ name: 'poll', data: null });
    await pause(isAway ? pollMs : retryMs, signal);
  }
  isHolder = false;
}

/** Reads one stream to its end, and answers with each event after how many ms to come back; null: never. */
async function* readStream(signal: AbortSignal): AsyncGenerator<number | null> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silentMs);
  try {
    const response = await fetch(`/backend/stream?topics=${wantedTopics}`, {
      headers: { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    for await (const { id, name, data, retryMs } of readEvents(response)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silentMs);
      if (id !== '') lastId = id;
      if (name !== '') tell({ name, data });
      yield name === 'closed' ? null : (retryMs ?? firstRetryMs);
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function tell(event: StreamEvent): void {
  tellListeners(event);
  channel.postMessage({ event, id: lastId } satisfies Told);
}

function show(state: typeof liveState.value): void {
  if (liveState.value === state) return;
  // What was asked meanwhile has failed.
  if (state === 'live' && liveState.value === 'offline') tell({ name: 'poll', data: null });
  liveState.value = state;
  channel.postMessage({ state } satisfies Told);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
