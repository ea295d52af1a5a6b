import { liveState, tellListeners } from './live.js';

const pollMs = 15_000;
/** What is asked again with each poll; what rests on candles is asked once a minute. */
const polledNames = ['position', 'signal', 'order', 'cluster'] as const;
const pollsACandle = 4;

/** Asks again while the page is seen and the browser is connected: panels hear of it as of news. */
export function startPolling(): void {
  let polls = 0;
  const poll = () => {
    if (document.hidden || !navigator.onLine) return;
    polls++;
    for (const name of polledNames) tellListeners({ name });
    if (polls % pollsACandle === 0) tellListeners({ name: 'candle' });
  };
  setInterval(poll, pollMs);
  const show = () => void (liveState.value = navigator.onLine ? 'polling' : 'offline');
  window.addEventListener('offline', show);
  window.addEventListener('online', () => {
    show();
    poll();
  });
  document.addEventListener('visibilitychange', poll);
  show();
}
