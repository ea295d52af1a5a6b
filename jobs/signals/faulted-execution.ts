import type { Log } from '../../storage/process/log.js';
import type { StoredExecution } from '../../storage/signals/stored-execution.js';
import { faultInWords, nextFault } from './next-fault.js';

/** The next revision of an execution that could not be advanced: with its fault, and due when it is tried again. Logs the error. */
export function faultedExecution(
  execution: StoredExecution,
  error: unknown,
  log: Pick<Log, 'error'>,
): StoredExecution {
  const { fault, dueAt } = nextFault(execution.fault, error, Date.now());
  log.error({ execution: execution.id, err: error }, `execution not advanced; ${faultInWords(fault)}`);
  return { ...execution, fault, dueAt, revision: execution.revision + 1 };
}
