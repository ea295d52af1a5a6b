import Joi from 'joi';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Deps, RequestState } from '../context.js';
import type { LiveReader } from '../live/live-reader.js';
import type { Operation, OperationResult } from '../operation.js';
import type { ExtraInput } from './envelope-input.js';
import { type CsvTable, csvText } from '../operations/csv-table.js';
import type { PartnerOperation } from '../partner-operation.js';
import { mount } from './mount.js';
import { mountMember, mountPartner } from './mount-partner.js';
import { mountSigned } from './mount-signed.js';
import { roundFigures } from '../../compute/model/round-figures.js';
import { takeOver } from './send-result.js';

/** The header with which browsers open a stream again. What is no id is one that is not known. */
const lastEventId: ExtraInput = ({ req }) => {
  const id = req.headersDistinct['last-event-id']?.join();
  return id === undefined ? {} : { lastEventId: id === '' ? '-' : id.slice(0, 100) };
};

/** Answers with what the reader hears of, until it leaves. */
function sendLive(ctx: ParameterizedContext, { payload: reader }: OperationResult<LiveReader>): void {
  takeOver(ctx);
  reader.attach(ctx.res);
  if (ctx.method === 'HEAD' || reader.options.endsAtMs <= Date.now()) reader.leave();
}

/**
 * How a route authenticates and answers: by session token or personal access token and in the envelope, by signature and without envelope, or by the
 * key of a partner and in the envelope.
 */
export type Surface = 'envelope' | 'signed' | 'partner';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The description of an operation, without its handler. */
export type OperationFacts = Pick<
  Operation<unknown, unknown>,
  | 'id'
  | 'summary'
  | 'scope'
  | 'tokenScope'
  | 'needsVerified'
  | 'cost'
  | 'isLong'
  | 'hasEtag'
  | 'input'
  | 'output'
  | 'errors'
  | 'leadsTo'
>;

/** An operation at a method and path. */
export interface Route {
  method: Method;
  /** In the syntax of @koa/router: a path segment that starts with a colon is a parameter. */
  path: string;
  surface: Surface;
  /** It answers with a CSV file; its errors have the form of its surface. */
  isCsv?: true;
  /** It answers with events that do not end; its errors have the form of its surface. */
  isStream?: true;
  operation: OperationFacts;
  handler: (deps: Deps) => Middleware<RequestState>;
}

/** Reads the parameters of a path as input of their names. */
const pathInput = (path: string): ExtraInput | undefined =>
  path.includes(':') ? ({ params }) => ({ ...(params as Record<string, string>) }) : undefined;

/** A route that answers in the envelope. `extraInput` reads input from elsewhere than body and query: as a rule, from the path. */
export const envelopeRoute = <Input, Output>(
  method: Method,
  path: string,
  operation: Operation<Input, Output>,
  extraInput = pathInput(path),
): Route => ({
  method,
  path,
  surface: 'envelope',
  operation,
  handler: (deps) => mount(operation, deps, { extraInput }),
});

/** A route that answers with a CSV file, and its errors in the envelope. */
export const csvRoute = <Input>(
  method: Method,
  path: string,
  operation: Operation<Input, CsvTable>,
): Route => ({
  ...envelopeRoute(method, path, operation),
  isCsv: true,
  handler: (deps) => mount(operation, deps, { extraInput: pathInput(path), send: sendCsv }),
});

/** A route that answers with what happens, as it happens, and its errors in the envelope. */
export const liveRoute = <Input>(
  method: Method,
  path: string,
  operation: Operation<Input, LiveReader>,
): Route => ({
  ...envelopeRoute(method, path, operation),
  isStream: true,
  handler: (deps) => mount(operation, deps, { extraInput: lastEventId, send: sendLive }),
});

/** The routes of a signed operation that answers without an envelope: GET and POST take the same parameters. */
export const signedRoutes = <Input, Output extends object>(
  path: string,
  operation: Operation<Input, Output>,
): Route[] => {
  const handler: Route['handler'] = (deps) => mountSigned(operation, deps);
  return (['GET', 'POST'] as const).map((method) => ({
    method,
    path,
    surface: 'signed',
    operation,
    handler,
  }));
};

/** A route for partners, who show a key and its secret. */
export const partnerRoute = <Input, Output>(
  method: Method,
  path: string,
  operation: PartnerOperation<Input, Output>,
): Route => ({
  method,
  path,
  surface: 'partner',
  operation: { ...operation, scope: 'partner', cost: 1 },
  handler: (deps) => mountPartner(operation, deps),
});

/** What a member's signal names besides those of the partner's own API. */
const channelKey = Joi.string().max(100).description('id of the channel that it goes to; absent: the first');

/** The same operation for a user who acts for the partner, by their session. */
export const memberRoute = <Input, Output>(
  method: Method,
  path: string,
  { id, ...operation }: PartnerOperation<Input, Output>,
): Route => ({
  method,
  path,
  surface: 'envelope',
  operation: {
    ...operation,
    id: `member-${id}`,
    scope: 'user',
    cost: 1,
    input: /^(create|validate)-/.test(id) ? operation.input.append({ channel: channelKey }) : operation.input,
    leadsTo: [],
  },
  handler: (deps) => mountMember({ id, ...operation }, deps),
});

/** Sends a table as a CSV file to be saved. */
function sendCsv(ctx: ParameterizedContext, { payload }: OperationResult<CsvTable>): void {
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present');
  ctx.set('Content-Disposition', `attachment; filename="${payload.name}.csv"`);
  ctx.body = csvText(roundFigures(payload));
}
