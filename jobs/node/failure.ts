import { createHash } from 'node:crypto';
import { AppError, errorToData } from '../../compute/model/errors.js';
import type { JobFailure } from '../../storage/cluster/dead-letters.js';
import { nodeName } from '../../storage/cluster/nodes.js';
import type { Item } from '../requests/wire.js';

/** A question that failed on this node. */
export interface FailedItem {
  item: Item;
  error: unknown;
  /** How many nodes have started on it, and how often this one has run it. */
  starts: number;
  tries: number;
}

/** Nodes that started on a question and never ended: after so many it is the question that ends them. */
const suspectStarts = 3;

/** A failure as it is kept for operators; null for one that whoever asked can mend, or that time mends. */
export function failureOf({ item, error, starts, tries }: FailedItem, queue: string): JobFailure | null {
  const attempts = starts - 1 + Math.max(1, tries);
  const isOver = error instanceof AppError && error.code === 'time_limit' && starts >= suspectStarts;
  const isBug = !(error instanceof AppError) || error.kind === 'bug';
  if (!isOver && !isBug) return null;
  const why = isOver ? `; ${starts - 1} nodes started on it and did not end it` : '';
  const { name, payload, traceId } = item;
  return {
    id: letterId(item.id),
    queue,
    name,
    payload,
    error: {
      code: errorToData(error).code,
      message: (error instanceof Error ? error.message : String(error)) + why,
      stack: stackOf(error),
    },
    traceId,
    attempts,
    node: nodeName(),
  };
}

/** Short enough to be typed. */
export const letterId = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The stack of an error and of what caused it. */
export function stackOf(error: unknown): string | null {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : null;
  const cause = error.cause === undefined ? null : stackOf(error.cause);
  return [error.stack ?? error.message, ...(cause === null ? [] : [`caused by: ${cause}`])].join('\n');
}
