import type { ExecutionOutcome } from '../../compute/signals/execution.js';
import type { StoredExecution } from '../../storage/signals/stored-execution.js';

/** The next revision of an execution that ends before it was planned. */
export function endedUnplanned(
  execution: StoredExecution,
  status: ExecutionOutcome,
  reason: string,
  nowMs: number,
): StoredExecution {
  const at = new Date(nowMs);
  const events = [...execution.events, { at, type: status, cause: reason, figures: {} }];
  const { revision } = execution;
  return {
    ...execution,
    status,
    reason,
    events,
    wish: null,
    dueAt: null,
    endedAt: at,
    revision: revision + 1,
  };
}
