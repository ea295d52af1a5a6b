import { createHash } from 'node:crypto';
import type { ErrorData } from '../../compute/model/errors.js';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { TraceContext } from '../../storage/process/tracing.js';

/** What was asked, once for everybody who asks the same: a payload names all that its answer depends on. */
export const itemId = (name: string, payload: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([engineVersion, name, payload]))
    .digest('base64url');

/** One question as it lies in the queue. */
export interface RequestItem<Payload = unknown> {
  id: string;
  name: string;
  payload: Payload;
  /** The time limit, and when it is over (ms since the epoch, by the clock of Redis). */
  limitMs: number;
  deadline: number;
  /** Follows the question from request through queue and thread into the logs. */
  traceId: string;
  /** The span that the run is a part of, where whoever asks is traced. */
  trace?: TraceContext;
  /** Whether somebody wants to hear how far it has come. */
  isListenedTo?: boolean;
}

/** What travels as one job: questions that waited at the same moment, and the gateway that waits for the answers. */
export interface RequestBatch {
  gateway: string;
  items: RequestItem[];
}

/** Where the time of one run went, in ms; `run` is all of it on the compute node, `queue` the way there and back. */
export type Timings = Record<string, number>;

/** How far a job has come: what it is doing, and how much of all is done (0 to 1). */
export interface JobProgress {
  phase: string;
  fraction: number;
}

/** Which item of which batch, and the span of its run where it is traced. */
export interface BatchPosition {
  batch: string;
  index: number;
  trace?: TraceContext;
}

/** What a node tells a gateway of one item of a batch; `again`: who computed it gave up, and it is to be asked anew. */
export type Reply = BatchPosition &
  (
    | { kind: 'result'; timings: Timings; text: string }
    | { kind: 'error'; error: ErrorData }
    | { kind: 'progress'; progress: JobProgress }
    | { kind: 'again' }
  );

/**
 * How each item of a batch ended, as BullMQ keeps it, for gateways whose reply was lost on the way: with a result, which
 * is stored, with an error, or `elsewhere`: another item that asked the same is computing, and whoever asked will be told.
 */
export type ItemOutcome = { error: ErrorData } | 'elsewhere' | null;

/** The channel on which a gateway hears its replies. */
export const replyChannel = (gateway: string): string => `tidemark:replies:${gateway}`;

/** The channel on which nodes hear of items that nobody waits for any more: `<batch> <index>`. */
export const cancelChannel = 'tidemark:cancel';

/** The channel on which nodes hear the ids of items that somebody listens to who has not from the start. */
export const listenChannel = 'tidemark:listen';

/** The indexes of the items of a batch that nobody waits for, for a node that has not heard of it. */
export const cancelledKey = (batch: string): string => `tidemark:cancelled:${batch}`;

/**
 * Replies travel as a line of heads, and behind it the texts of the results, so that none is packed twice. The script
 * that stores results puts them together: it ends each head with the length of its text.
 */
export const openHead = (place: BatchPosition, timings: Timings): string =>
  JSON.stringify({ ...place, kind: 'result', timings }).slice(0, -1);

type Head =
  Exclude<Reply, { kind: 'result' }> | (BatchPosition & { kind: 'result'; timings: Timings; length: number });

/** One result that is there already. */
export const encodeResult = (place: BatchPosition, timings: Timings, text: string): string =>
  `[${openHead(place, timings)},"length":${text.length}}]\n${text}`;

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
