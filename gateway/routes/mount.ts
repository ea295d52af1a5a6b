import type { Middleware, ParameterizedContext } from 'koa';
import { readRestAccess, requireAllowed } from '../auth/rest-access.js';
import type { Deps, RequestState } from '../context.js';
import type { Operation, OperationResult } from '../operation.js';
import { RequestCaller, inHandSlot } from './caller.js';
import { chargeBrowser, chargeCaller, runCharged } from './charge.js';
import { inputReader, type ExtraInput } from './envelope-input.js';
import { sendResult, setServerTiming, streamAnswer } from './send-result.js';

/** A media range of an Accept header, as in `text/*`, and its weight from 0 to 1. */
interface MediaRange {
  type: string;
  weight: number;
}

const weightPattern = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * Whether an Accept header gives server-sent events a higher weight than JSON (RFC 9110, 12.4.2 and 12.5.1: the most specific
 * range decides). With equal weights, or without the header, the answer is JSON.
 */
export function prefersEventStream(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes('text/')) return false;
  const ranges = rangesOf(accept);
  return weightOf('text', 'event-stream', ranges) > weightOf('application', 'json', ranges);
}

/** The ranges that can match: those without parameters other than the weight and the charset UTF-8. */
const rangesOf = (accept: string): MediaRange[] =>
  accept.split(',').flatMap((part) => {
    const [type, ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const given = parameters.filter((each) => each !== '' && each !== 'charset=utf-8');
    if (given.length === 0) return [{ type, weight: 1 }];
    return given.length === 1 && weightPattern.test(given[0])
      ? [{ type, weight: Number(given[0].slice(2)) }]
      : [];
  });

/** The weight of a type: that of the most specific range that names it; 0 without one. */
function weightOf(type: string, subtype: string, ranges: readonly MediaRange[]): number {
  const found = [`${type}/${subtype}`, `${type}/*`, '*/*']
    .map((name) => ranges.find((range) => range.type === name))
    .find((range) => range !== undefined);
  return found?.weight ?? 0;
}

type SendAnswer<Output> = (ctx: ParameterizedContext<RequestState>, result: OperationResult<Output>) => void;

export interface MountOptions<Output> {
  /** Reads input from elsewhere than body and query. */
  extraInput?: ExtraInput | undefined;
  /** Answers in another form than the envelope. */
  send?: SendAnswer<Output>;
}

/**
 * An operation as a route for requests with a session token or personal access token (or without one, for public operations)
 * that answers in the envelope; a long one answers with server-sent events if the client prefers them.
 */
export function mount<Input, Output>(
  operation: Operation<Input, Output>,
  deps: Deps,
  { extraInput, send = sendEnvelope }: MountOptions<Output> = {},
): Middleware<RequestState> {
  const readInput = inputReader(operation, deps, extraInput);
  return async (ctx) => {
    const access = await readRestAccess(ctx, deps);
    const { user } = access;
    const slot = inHandSlot(ctx, deps);
    const caller = new RequestCaller(ctx, user, slot.leave);
    if (user) caller.scopes = access.scopes;
    if (access.csrf !== undefined) caller.csrf = access.csrf;
    caller.charge = (points) => chargeCaller(ctx, deps, user, points, 0).paid;
    const answer = () =>
      runCharged(chargeBrowser(ctx, deps, access, operation.cost), operation.isLight === true, async () => {
        requireAllowed(operation, ctx, access);
        const input = await readInput(ctx);
        return slot.hold(() => operation.handle(input, deps, caller));
      });
    if (operation.isLong) {
      ctx.vary('Accept');
      if (prefersEventStream(ctx.req.headers.accept)) return streamAnswer(ctx, deps, caller, answer);
    }
    const result = await answer();
    send(ctx, result);
    setServerTiming(ctx, caller.timings);
  };
}

const sendEnvelope: SendAnswer<unknown> = (ctx, result) => sendResult(ctx, result);
