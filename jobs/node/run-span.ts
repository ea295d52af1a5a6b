import type { Job as QueuedJob } from 'bullmq';
import type { Span, Tracing } from '../../storage/process/tracing.js';
import type { RequestItem } from '../requests/wire.js';
import { outcomeNames, type RunOutcome } from './item-runner.js';

/** Starts the span of a run, in the trace of the request; undefined when nothing is traced. */
export const startRunSpan = (
  tracing: Tracing | undefined,
  item: RequestItem,
  queued: QueuedJob,
): Span | undefined =>
  tracing?.start(`run ${item.name}`, {
    kind: 'consumer',
    parent: item.trace ?? null,
    attributes: {
      'tidemark.job': item.name,
      'tidemark.queue': queued.queueName,
      // Measured by the clocks of two machines.
      'tidemark.queue_wait_ms': Math.max(0, Date.now() - queued.timestamp),
      'tidemark.attempt': queued.attemptsStarted,
      'tidemark.request_id': item.traceId,
    },
  });

export function endRunSpan(span: Span | undefined, outcome: RunOutcome): void {
  const code = outcome.kind === 'error' ? outcome.error.code : undefined;
  span?.set({
    'tidemark.outcome': outcome.kind === 'error' ? outcome.error.code : outcomeNames[outcome.kind],
  });
  span?.end(code);
}
