import { createHash } from 'node:crypto';
import { AppError, errorToData } from '../../compute/model/errors.js';
import type { JobFailure } from '../../storage/cluster/dead-letters.js';
import { nodeName } from '../../storage/cluster/nodes.js';
import type { RequestItem } from '../requests/wire.js';

/** A request that failed on this node. */
export interface FailedItem {
  item: RequestItem;
  error: unknown;
  /** How many nodes have started it, and how often this node has run it. */
  starts: number;
  tries: number;
}

/** A request that so many nodes started and did not end is a request that ends nodes. */
const suspectStarts = 3;

/** The failure to keep for operators. Null for a failure that the caller can correct or that passes with time. */
export function failureOf({ item, error, starts, tries }: FailedItem, queue: string): JobFailure | null {
  const attempts = starts - 1 + Math.max(1, tries);
  const endsNodes = error instanceof AppError && error.code === 'time_limit' && starts >= suspectStarts;
  if (!endsNodes && !isBug(error)) return null;
  const hint = endsNodes ? `; ${starts - 1} nodes started it and did not end it` : '';
  const { name, payload, traceId } = item;
  return {
    id: letterId(item.id),
    queue,
    name,
    payload,
    error: {
      code: errorToData(error).code,
      message: (error instanceof Error ? error.message : String(error)) + hint,
      stack: stackOf(error),
    },
    traceId,
    attempts,
    node: nodeName(),
  };
}

/** Whether an error is a fault of the code, or not known to it. */
export const isBug = (error: unknown): boolean => !(error instanceof AppError) || error.kind === 'bug';

/** The id of a dead letter: 12 hex digits, short enough to type. */
export const letterId = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The stack of an error, followed by the stacks of its causes; null when there is none. */
export function stackOf(error: unknown): string | null {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : null;
  const cause = error.cause === undefined ? null : stackOf(error.cause);
  return [error.stack ?? error.message, ...(cause === null ? [] : [`caused by: ${cause}`])].join('\n');
}
