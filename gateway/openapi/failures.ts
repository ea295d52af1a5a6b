import Joi from 'joi';
import { AppError, type ErrorCode } from '../../compute/model/errors.js';
import {
  bareFailure,
  type BareFailure,
  failureEnvelope,
  statusOf,
  type Envelope,
} from '../answers/envelope.js';
import { partnerFailure } from '../answers/failure-answer.js';
import { carriesBody } from '../routes/json-body.js';
import { jsonSchemaOf, type JsonSchema } from './json-schema.js';
import type { Surface, Route } from '../routes/route.js';

const code = Joi.string().required().description('error code');
const message = Joi.string().required().description('what was expected and what was found');
const field = Joi.string().allow('').description('the invalid field');
const part = Joi.string().description('the unavailable part of the service');
const requestId = Joi.string().required().description('the x-request-id of the answer');

interface EnvelopeFailure extends Envelope {
  payload: { message: string; field?: string; part?: string; requestId: string };
}

/** The schema of an error in the envelope, whose type begins with `INVALID_INPUT_` and matches `kinds` if the request is at fault. */
const envelopeFailure = (description: string, kinds: string, typeMeaning: string) =>
  Joi.object<EnvelopeFailure, true>({
    result: Joi.object<Envelope['result']>({
      type: Joi.string()
        .pattern(new RegExp(`^(UNAUTHORIZED|CRITICAL|INVALID_INPUT_${kinds}+)$`))
        .required()
        .description(typeMeaning),
    })
      .required()
      .description('outcome of the request'),
    payload: Joi.object({ message, field, part, requestId }).required().description('what went wrong'),
  }).description(description);

/** The error body of each surface: name of its schema, schema, and the function that makes it. */
const failureForms = {
  envelope: {
    name: 'Failure',
    schema: envelopeFailure(
      'An error in the envelope.',
      '[A-Z0-9_$]',
      'INVALID_INPUT_ is followed by the field in upper snake case, or by the kind of fault',
    ),
    body: failureEnvelope,
  },
  partner: {
    name: 'PartnerFailure',
    schema: envelopeFailure(
      'An error of the partner API.',
      '[A-Z]',
      'INVALID_INPUT_MISSING: a required field is missing; INVALID_INPUT_CONTENT: a field has a bad value',
    ),
    body: partnerFailure,
  },
  signed: {
    name: 'BareFailure',
    schema: Joi.object<BareFailure, true>({
      error: Joi.object({ code, message, field, part, requestId }).required().description('what went wrong'),
    }).description('An error without an envelope.'),
    body: bareFailure,
  },
} as const satisfies Record<Surface, object>;

/** The schemas of all error bodies, by name. */
export const failureSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(Object.values(failureForms).map(({ name, schema }) => [name, jsonSchemaOf(schema)]));

/** What each error means to a client, with an example message. */
const meanings: Partial<Record<ErrorCode, [meaning: string, message: string]>> = {
  invalid_input: ['A field is missing or has a bad value.', '"asset" is required'],
  invalid_body: ['The body is not valid JSON, or is ambiguous.', 'the body is not JSON in UTF-8'],
  body_too_large: ['The body is larger than 64 KiB.', 'the body must be at most 65536 bytes'],
  unsupported_media_type: [
    'The body is not application/json in UTF-8.',
    'the body must have Content-Type "application/json" in UTF-8',
  ],
  unauthorized: ['The request has no valid session, token or signature.', 'sign in first'],
  forbidden: [
    'The caller, or the token, is not allowed to do this.',
    'the token does not allow this: read:portfolio is needed, it has read:analysis',
  ],
  rate_limited: [
    'The points of this minute are spent; Retry-After says when to retry.',
    'at most 60 points a minute; try again in 12 s',
  ],
  already_exists: ['One of that name exists already.', 'user "you@example.com" exists already'],
  conversation_busy: [
    'Another message of the conversation is being answered.',
    'another message of this conversation is being answered; send the next one after its answer',
  ],
  unknown_conversation: ['You have no conversation of that id.', 'there is no conversation "..."'],
  idp_unavailable: [
    'The identity provider does not answer.',
    'the identity provider does not answer; try again in a moment',
  ],
  exchange_refused: ['The exchange rejects the key.', 'BINANCE does not accept this key'],
  exchange_unavailable: [
    'The exchange, or the market worker that calls it, does not answer.',
    'the key could not be tried at BINANCE: no market worker is running; try again in a moment',
  ],
  price_stale: ['No recent price is available.', 'there is no price of "BTC/USDT" yet'],
  unknown_order: ['You have no order of that id.', 'you have no order "..."'],
  unknown_signal: ['No signal of that id was delivered to you.', 'no signal "..." was delivered to you'],
  unknown_app: ['You have no connected app of that id.', 'you have no app "..." connected'],
  unknown_session: ['You have no session of that id.', 'you have no session "..."'],
  unknown_strategy: ['There is no such saved or shared strategy.', 'there is no saved strategy "..."'],
  unknown_token: ['You have no token of that id.', 'you have no token "..."'],
  unknown_subscription: ['You have no subscription of that id.', 'you have no subscription "..."'],
  unknown_channel: ['There is no channel of that id.', 'there is no channel "..."'],
  unknown_backtest: ['You have no stored backtest of that id.', 'you have no stored backtest "..."'],
  market_filling: [
    'The first candles of the asset are on their way; Retry-After says when to retry.',
    'the candles of "BTC/USDT" are on their way: market: filling 7/21',
  ],
  not_enough_history: ['The asset has too few candles.', 'at least 61 candles are needed'],
  too_many_backtests: [
    'The account keeps as many backtests as it may.',
    'you keep 50 backtests, the most: stop keeping one first',
  ],
  too_many_strategies: [
    'The account keeps as many strategies as its plan allows.',
    'the plan free keeps at most 10 strategies: delete one first',
  ],
  too_many_tokens: [
    'The account has as many tokens as it may.',
    'an account has at most 10 tokens: revoke one first',
  ],
  channel_halted: [
    'The channel is halted because it churns, until an operator resumes it; commands go on.',
    'the channel "Majors" is halted since 2026-01-02T03:04:05.000Z: it sent 250 signals within 24 hours, above 10 times its usual 3.0 a day; it gets no new signals until the operator of the service resumes it',
  ],
  positions_open: [
    'Signals are still executed on a real exchange.',
    'signals that are still executed on BINANCE: 2; close them first (POST /backend/trading/close-all)',
  ],
  schedule_running: ['The schedule runs already.', '"clean-up" runs already, since 2026-01-02T03:04:05.000Z'],
  gateway_busy: [
    'The service is answering too many requests; Retry-After says when to retry.',
    'the service is answering 64 requests, 32 of them for you or your network; try again in a moment',
  ],
  queue_full: ['Too many jobs are waiting; Retry-After says when to retry.', 'too many jobs are waiting'],
  no_worker: [
    'No running process takes jobs from the queue of that job.',
    'no process is alive that takes from queue "market"',
  ],
  redis_unavailable: ['Redis is unavailable.', 'Redis does not answer; try again in a moment'],
  mongodb_unavailable: ['MongoDB is unavailable.', 'MongoDB does not answer; try again in a moment'],
  time_limit: ['The time limit has passed.', 'not done within 60 s'],
  unexpected: ['An internal error; the request id finds it in the log.', ''],
};

const ofEveryRoute: readonly ErrorCode[] = [
  'invalid_input',
  'rate_limited',
  'unexpected',
  'gateway_busy',
  'queue_full',
  'redis_unavailable',
  'mongodb_unavailable',
  'time_limit',
];
const ofBodies: readonly ErrorCode[] = ['invalid_body', 'body_too_large', 'unsupported_media_type'];

/** All error codes a route may answer with, by status. */
export function failuresOf(route: Route): Map<number, ErrorCode[]> {
  const { surface, operation } = route;
  const { scope } = operation;
  const codes = new Set<ErrorCode>([
    ...ofEveryRoute,
    ...(carriesBody(route.method, surface) ? ofBodies : []),
    ...(surface === 'signed' || surface === 'envelope' ? (['unauthorized'] as const) : []),
    ...(scope === 'public' || surface === 'signed' ? [] : (['forbidden'] as const)),
    ...(operation.errors ?? []),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statusOf(new AppError(code, ''));
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

const exampleId = '5f1c3a52-6d0e-4a57-9b0e-2f8d1c7a9e10';

/** The description of one error status, for the errors that have it. */
export function failureResponse(
  surface: Surface,
  codes: readonly ErrorCode[],
): { description: string; content: object } {
  const { name, body } = failureForms[surface];
  const entries = codes.map((code) => meanings[code] ?? ([`Error \`${code}\`.`, ''] as const));
  // Codes are not part of the envelope.
  const sentences = entries.map(([meaning], n) =>
    surface === 'signed' ? `\`${codes[n]}\`: ${meaning}` : meaning,
  );
  return {
    description: sentences.join(' '),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${name}` },
        example: body(new AppError(codes[0], entries[0][1]), exampleId),
      },
    },
  };
}
