import { UnrecoverableError } from 'bullmq';
import { errorToData } from '../../../compute/model/errors.js';
import type { JobFailure } from '../../../storage/cluster/dead-letters.js';
import { nodeName } from '../../../storage/cluster/nodes.js';
import { scheduleQueueName } from '../../../storage/cluster/queues.js';
import { mapStorageError } from '../../../storage/index.js';
import { isBug, letterId, stackOf } from '../../node/failure.js';
import { runTries, type QueuedRun } from './schedule-queue.js';

/** The failure of a schedule run to keep for operators; null when the run is tried again, or the failure is not a bug. */
export function scheduleFailureOf(queued: QueuedRun, error: Error): JobFailure | null {
  const isLast = queued.attemptsMade >= runTries || error instanceof UnrecoverableError;
  const named = mapStorageError(error);
  if (!isLast || !isBug(named)) return null;
  return {
    id: letterId(`schedule ${queued.name}`),
    queue: scheduleQueueName,
    name: queued.name,
    payload: {},
    error: { code: errorToData(named).code, message: error.message, stack: stackOf(error) },
    traceId: queued.id!,
    attempts: queued.attemptsStarted,
    node: nodeName(),
  };
}
