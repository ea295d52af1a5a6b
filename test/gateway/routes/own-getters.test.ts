import assert from 'node:assert/strict';
import type { ParameterizedContext } from 'koa';
import type { RequestState } from '../../../gateway/context.js';
import { ExchangeCaller, RequestExchange } from '../../../gateway/mcp/exchange.js';
import { CallerRunOptions } from '../../../gateway/operations/run-job.js';
import { RequestCaller } from '../../../gateway/routes/caller.js';
import { TextAnswer } from '../../../jobs/requests/recent-answers.js';

/** V8 keeps a getter that an object has of its own, and all that the getter uses, until the next full garbage collection. */
describe('what is made for each request has its getters from a class', () => {
  const contextOf = (requestId: string) =>
    ({
      state: { requestId, address: '127.0.0.1', network: '127.0.0.1' },
      req: { headers: {} },
      get: () => '',
    }) as unknown as ParameterizedContext<RequestState>;
  const nothing = () => undefined;
  const callerOf = (id: string) => new RequestCaller(contextOf(id), null, nothing);
  const exchangeOf = (id: string) =>
    new RequestExchange(
      contextOf(id),
      { user: null, scopes: new Set() },
      {
        selection: {} as RequestExchange['selection'],
        callId: null,
        charge: () => Promise.resolve(),
        slot: () => ({ hold: (work) => work(), leave: nothing }),
      },
    );
  const made: Record<string, (id: string) => object> = {
    'the caller of a request': callerOf,
    'how its job runs': (id) => new CallerRunOptions(callerOf(id), 60_000),
    'a request to the connector': exchangeOf,
    'the caller of a tool': (id) => new ExchangeCaller(exchangeOf(id), () => AbortSignal.abort(), nothing),
    'a known answer': (id) => new TextAnswer('{}', {}, id),
  };
  for (const [what, make] of Object.entries(made))
    it(what, () => {
      const own = Object.entries(Object.getOwnPropertyDescriptors(make('a')));
      const getters = own.filter(([, property]) => 'get' in property).map(([name]) => name);
      assert.deepEqual(getters, []);
    });
});
