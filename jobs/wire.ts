import { createHash } from 'node:crypto';
import type { ErrorData } from '../compute/model/errors.js';
import { engineVersion } from '../compute/version.js';
import type { TraceContext } from '../storage/tracing.js';

/** What was asked, once for everybody who asks the same: a payload names all that its answer depends on. */
export const itemId = (name: string, payload: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([engineVersion, name, payload]))
    .digest('base64url');

/** One question as it lies in the queue. */
export interface Item<Payload = unknown> {
  id: string;
  name: string;
  payload: Payload;
  /** The time limit, and when it is over (ms since the epoch). */
  limitMs: number;
  deadline: number;
  /** Follows the question from request through queue and thread into the logs. */
  traceId: string;
  /** The span that the run is a part of, where whoever asks is traced. */
  trace?: TraceContext;
}

/** What travels as one job: questions that waited at the same moment, and the gateway that waits for the answers. */
export interface Batch {
  gateway: string;
  items: Item[];
}

/** Where the time of one run went, in ms; `run` is all of it on the compute node, `queue` the way there and back. */
export type Timings = Record<string, number>;

/** How far a job has come: what it is doing, and how much of all is done (0 to 1). */
export interface Progress {
  phase: string;
  fraction: number;
}

/** Which item of which batch, and the span of its run where it is traced. */
export interface Place {
  batch: string;
  index: number;
  trace?: TraceContext | undefined;
}

/** What a node tells a gateway of one item of a batch. */
export type Reply = Place &
  (
    | { kind: 'result'; timings: Timings; text: string }
    | { kind: 'error'; error: ErrorData }
    | { kind: 'progress'; progress: Progress }
  );

/** How each item of a batch ended, as BullMQ keeps it: for gateways whose reply was lost on the way. */
export type Outcome = { error: ErrorData } | null;

/** The channel on which a gateway hears its replies. */
export const replyChannel = (gateway: string): string => `tidemark:replies:${gateway}`;

/** The channel on which nodes hear of items that nobody waits for any more: `<batch> <index>`. */
export const cancelChannel = 'tidemark:cancel';

/** The indexes of the items of a batch that nobody waits for, for a node that has not heard of it. */
export const cancelledKey = (batch: string): string => `tidemark:cancelled:${batch}`;

/** What stands before a result on its way back: plain JSON and a line break, so that a long result is not packed twice. */
export const resultHead = (place: Place, timings: Timings): string =>
  `${JSON.stringify({ ...place, kind: 'result', timings })}\n`;

export const encodeReply = (reply: Exclude<Reply, { kind: 'result' }>): string => JSON.stringify(reply);

export function decodeReply(message: string): Reply {
  const end = message.indexOf('\n');
  const head = JSON.parse(end < 0 ? message : message.slice(0, end)) as Reply;
  return head.kind === 'result' ? { ...head, text: message.slice(end + 1) } : head;
}
