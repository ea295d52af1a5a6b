import { AppError } from '../../compute/model/errors.js';
import { isMongoUnavailable } from '../../storage/servers/mongo.js';
import { dueNever, mostFaults, type StepFault } from '../../storage/signals/step-fault.js';

const firstRetryMs = 1_000;

/** The fault of a row whose step has failed, and when it is tried again: later each time, and never after the last failure. */
export function nextFault(
  before: StepFault | null,
  error: unknown,
  nowMs: number,
): { fault: StepFault; dueAt: Date } {
  const count = (before?.count ?? 0) + 1;
  const message = error instanceof Error ? error.message : String(error);
  return {
    fault: { message, count, at: new Date(nowMs) },
    dueAt: count < mostFaults ? new Date(nowMs + firstRetryMs * 2 ** count) : dueNever,
  };
}

/** What happens next to a row with a fault, for the log. */
export const faultInWords = ({ count }: StepFault): string =>
  count < mostFaults ? 'it is tried again' : 'it is left to the operator';

/** Whether an error says nothing about the row: a server does not answer, and the step is repeated when it does. */
export const isOutage = (error: unknown): boolean =>
  isMongoUnavailable(error) || (error instanceof AppError && error.kind === 'unavailable');
