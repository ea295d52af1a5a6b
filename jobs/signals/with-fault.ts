import type { StoredExecution } from '../../storage/signals/stored-execution.js';

/** Steps that may fail in a row before an execution is left to an operator. */
const mostFaults = 8;
const firstRetryMs = 1_000;

/** An execution whose step has failed: it is tried again later each time, and in the end not by itself. */
export function withFault(execution: StoredExecution, error: unknown, nowMs: number): StoredExecution {
  const count = (execution.fault?.count ?? 0) + 1;
  const message = error instanceof Error ? error.message : String(error);
  const dueAt = count < mostFaults ? new Date(nowMs + firstRetryMs * 2 ** count) : null;
  return { ...execution, fault: { message, count }, dueAt, revision: execution.revision + 1 };
}
