import type { Decimal } from '../model/decimal.js';
import { hasEntered, isEnded, type Execution } from './execution.js';
import { betterPrice } from './execution-side.js';

/** Prices at which an execution has something to do. A price between them changes nothing. */
export interface WatchedPrices {
  /** The nearest one in the direction that loses money. */
  readonly worse: Decimal | null;
  /** The nearest one in the direction that earns money. */
  readonly better: Decimal | null;
}

/** The prices that a watcher compares with each tick; none once the position is being closed. */
export function watchedPrices(execution: Execution): WatchedPrices {
  if (isEnded(execution) || execution.status === 'closing') return { worse: null, better: null };
  const { side, stop, targets, entries } = execution;
  const isOpen = hasEntered(execution);
  const worse = [
    ...(stop ? [stop.trigger] : []),
    ...entries
      .filter(({ state, kind }) => state === 'waiting' && (isOpen || kind === 'entry'))
      .map(({ price }) => price),
  ];
  const better = [
    ...targets.filter(({ state }) => state === 'waiting').map(({ price }) => price),
    ...(isOpen && stop?.trailing ? [stop.trailing.best] : []),
    // A price beyond the zone has to come back into it.
    ...entries.flatMap(({ state, zoneEnd }) => (state === 'waiting' && zoneEnd ? [zoneEnd] : [])),
  ];
  return {
    worse: worse.length ? worse.reduce((one, other) => betterPrice(side, one, other)) : null,
    better: better.length
      ? better.reduce((one, other) => (betterPrice(side, one, other) === one ? other : one))
      : null,
  };
}

/** When (ms since 1970) an execution has to be advanced by a `time` event, or null. */
export function nextWakeAt({ entriesEndAt, entries, close, refusals, status }: Execution): number | null {
  const waits = entries.some(
    ({ kind, state }) => kind === 'entry' && (state === 'waiting' || state === 'armed'),
  );
  const times = [
    waits ? entriesEndAt : null,
    status === 'closing' ? (close?.leaveToStopUntil ?? null) : null,
    ...Object.values(refusals).map(({ retryAt }) => retryAt),
  ].filter((time) => time !== null);
  return times.length ? Math.min(...times) : null;
}
