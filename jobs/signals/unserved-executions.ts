import type { TradingVenue } from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import type { ExecutionLine, StoredExecution } from '../../storage/signals/stored-execution.js';

/** How long (ms) an execution waits until it is looked whether it can go on, and its owner until he is told again that it cannot. */
const askAgainMs = 60_000;
const tellAgainMs = 24 * 3_600_000;

/** The line of an execution that the service does not serve now. Its owner gets a mail about it. */
export const unservedLine = (cause: string, nowMs: number): ExecutionLine => ({
  at: new Date(nowMs),
  type: 'unserved',
  cause: `${cause}: no stop is watched or moved and nothing is sold for you; orders at the exchange stay as they are, which you can change there`,
  figures: {},
});

/** The next revision of an execution on whose exchange no orders are placed now: it waits until they are, however long that takes. */
export function unservedExecution(execution: StoredExecution, nowMs: number): StoredExecution {
  const { events, exchange, revision } = execution;
  const told = events.findLast(({ type }) => type === 'unserved');
  const line = unservedLine(`the operator has turned trading on ${exchange} off`, nowMs);
  const isTold = told !== undefined && nowMs - told.at.getTime() < tellAgainMs;
  return {
    ...execution,
    events: isTold ? events : [...events, line],
    fault: null,
    dueAt: new Date(nowMs + askAgainMs),
    revision: revision + 1,
  };
}

/** Makes executions due on whose exchanges no orders are placed now, so that their owners are told, and tells the operator. */
export async function wakeUnserved(
  executions: Pick<Storage['executions'], 'wakeElsewhere'>,
  venues: ReadonlyMap<string, TradingVenue>,
  log: Pick<Log, 'error'>,
): Promise<void> {
  const counts = await executions.wakeElsewhere([...venues.keys()], Date.now());
  if (counts.size === 0) return;
  const open = [...counts].map(([exchange, count]) => `${count} on ${exchange}`).join(', ');
  log.error(
    `EXECUTIONS ARE OPEN AND NOT SERVED: ${open}; set LIVE_TRADING=on and name the exchange in EXCHANGES until they are closed or handed over`,
  );
}
