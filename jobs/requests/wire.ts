import { createHash } from 'node:crypto';
import type { ErrorData } from '../../compute/model/errors.js';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { TraceContext } from '../../storage/process/tracing.js';

/** The id of a request: equal for equal requests, because a payload names all that the result depends on. */
export const itemId = (name: string, payload: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([engineVersion, name, payload]))
    .digest('base64url');

/** A request in the queue. */
export interface RequestItem<Payload = unknown> {
  id: string;
  name: string;
  payload: Payload;
  limitMs: number;
  /** When the time limit is over, in ms since the epoch by the clock of Redis. */
  deadline: number;
  /** The id of the HTTP request, which logs of gateway and node repeat. */
  traceId: string;
  /** The span that the run belongs to, where the request is traced. */
  trace?: TraceContext;
  /** Whether a caller wants progress. */
  isListenedTo?: boolean;
}

/** The data of a BullMQ job: requests of the same moment, and the gateway that waits for their results. */
export interface RequestBatch {
  gateway: string;
  /** The engine that the ids of the items name. */
  engine: string;
  /** How often a node of another engine gave it back. */
  returned?: number;
  items: RequestItem[];
}

/** Where the time of a run went, in ms. `run` is the whole time on the node, `queue` the way there and back. */
export type Timings = Record<string, number>;

/**
 * The phase of a job, and the fraction of the whole job that is done, 0 to 1. A job that has not begun is in phase `queued`;
 * one that runs and has reported nothing yet is in phase `running`.
 */
export interface JobProgress {
  phase: string;
  fraction: number;
  /** In phase `queued`: its place in the queue, 1 for the next job to start; absent before it is known. */
  position?: number;
}

/** An item of a batch, and the span of its run where it is traced. */
export interface BatchPosition {
  batch: string;
  index: number;
  trace?: TraceContext;
  /** Set if another engine than the requested one computes, because no node of that one is alive: gateways don't keep its result. */
  foreign?: true;
}

/** A message of a node to a gateway on one item. `again`: the run that computed it gave up, so the gateway asks again. */
export type Reply = BatchPosition &
  (
    | { kind: 'result'; timings: Timings; text: string }
    | { kind: 'error'; error: ErrorData }
    | { kind: 'progress'; progress: JobProgress }
    | { kind: 'again' }
  );

/**
 * How an item of a batch ended, as BullMQ keeps it for gateways that missed the reply: null when the result is stored, the
 * error, or `elsewhere` when another run computes the same and replies.
 */
export type ItemOutcome = { error: ErrorData } | 'elsewhere' | null;

/** The channel on which a gateway receives replies. */
export const replyChannel = (gateway: string): string => `tidemark:replies:${gateway}`;

/** The channel on which nodes receive cancelled items: `<batch> <index>`. */
export const cancelChannel = 'tidemark:cancel';

/** The channel on which nodes receive the ids of items whose progress is wanted from now on. */
export const listenChannel = 'tidemark:listen';

/** The key of the cancelled indexes of a batch, for a node that starts it after the message. */
export const cancelledKey = (batch: string): string => `tidemark:cancelled:${batch}`;

/**
 * Results are sent as one line of heads followed by the texts of the results, so that no text is encoded twice. The script
 * that stores results joins them: it completes each head with the length of its text.
 */
export const openHead = (position: BatchPosition, timings: Timings): string =>
  JSON.stringify({ ...position, kind: 'result', timings }).slice(0, -1);

type Head =
  | Exclude<Reply, { kind: 'result' }>
  | (BatchPosition & { kind: 'result'; timings: Timings; length: number });

/** The message of one result that was stored before. */
export const encodeResult = (position: BatchPosition, timings: Timings, text: string): string =>
  `[${openHead(position, timings)},"length":${text.length}}]\n${text}`;

export const encodeReply = (reply: Exclude<Reply, { kind: 'result' }>): string =>
  `[${JSON.stringify(reply)}]\n`;

export function decodeReplies(message: string): Reply[] {
  let at = message.indexOf('\n') + 1;
  return (JSON.parse(message.slice(0, at)) as Head[]).map((head) => {
    if (head.kind !== 'result') return head;
    const { length, ...rest } = head;
    at += length;
    return { ...rest, text: message.slice(at - length, at) };
  });
}
