import { allAnalyses } from '../../compute/analyses.js';
import { candleFields } from '../../gateway/operations/analysis/analysis-operation.js';
import { sampleParams } from '../support/jobs/sample-params.js';
import { exchangeKey, login, runningJob, type Scene } from './scene.js';
import type { Question } from './question.js';

/** Makes a question; it is made anew for each time it is asked. */
export type Ask = (scene: Scene) => Question | Promise<Question>;

/** How an operation is asked so that it answers, in all ways that differ in what is answered. */
export interface Case {
  good: [Ask, ...Ask[]];
  /** Refusals that are the operation's own, by status. */
  refused?: Partial<Record<number, Ask>>;
}

const body =
  (given: object): Ask =>
  () => ({ body: given });
const query =
  (given: Record<string, string>): Ask =>
  () => ({ query: given });
const nothing: Ask = () => ({});
const asHolder: Ask = ({ tokens }) => ({ token: tokens.holder });
/** One of these questions ends the session it is asked with. */
const asStranger =
  (given?: object): Ask =>
  async ({ service }) => ({ token: await service.signIn(), ...(given ? { body: given } : {}) });
const idToken =
  (claims: Record<string, unknown>): Ask =>
  async ({ issuer }) => ({ body: { idToken: await issuer.sign(claims) } });
/** A user's own backtest, named in the path. */
const ownBacktest: Ask = async ({ service }) => {
  const token = await service.signIn();
  const { payload } = await service.post(
    '/backend/core-line/backtest',
    { asset: 'BTC' },
    { 'session-token': token },
  );
  return { token, place: { id: (payload as { id: string }).id } };
};
const noBacktest: Ask = () => ({ place: { id: '0'.repeat(64) } });
const backtestCase: Case = { good: [ownBacktest], refused: { 404: noBacktest } };
const deadLetterThere: Ask = async ({ bury }) => {
  await bury();
  return { body: {} };
};
const deadLetter: Ask = async ({ bury }) => ({ body: { id: await bury() } });

let signUps = 0;
const newUser = (): object => ({ email: `new-${++signUps}@example.com`, password: 'a long password' });

const assessRisk = [
  { coin: 'BTC' },
  { coin: 'BTC', trade_side: 'short' },
  { coin: 'ETH', trade_market: 'BTC' },
];
const getPrice = [{ base_asset: 'BTC' }, { base_asset: 'ETH', quote_asset: 'BTC' }];

/** Every analysis, asked with the examples of its description. */
const analysisCases = Object.fromEntries(
  allAnalyses.map((analysis): [string, Case] => {
    const about = 'asset' in candleFields(analysis) ? { asset: 'BTC' } : {};
    return [
      `POST /backend/analysis/${analysis.name}`,
      { good: [body({ ...about, ...sampleParams(analysis) })] },
    ];
  }),
);

/** Lists of what can be asked for, with GET and POST. */
const listCases = Object.fromEntries(
  ['analyses', 'assets', 'indicators', 'leaderboards', 'strategies'].flatMap((what): [string, Case][] => [
    [`GET /backend/analysis/list-${what}`, { good: [nothing] }],
    [`POST /backend/analysis/list-${what}`, { good: [body({})] }],
  ]),
);

/** Every operation of the document, by method and path. */
export const cases: Record<string, Case> = {
  ...analysisCases,
  ...listCases,
  'POST /backend/analysis/sweep': {
    good: [
      body({ asset: 'BTC' }),
      body({
        ...{ asset: 'BTC', interval: '1h', strategy: 'ema_cross', rankBy: 'totalReturn', keep: 2 },
        grid: { fast: [5, 12], slow: [8, 20] },
      }),
    ],
  },

  'GET /healthz': { good: [nothing] },
  'GET /openapi.json': { good: [nothing] },
  'GET /readyz': { good: [nothing] },

  'POST /backend/login': {
    good: [body(login), body({ ...login, platform: 'ios' })],
    refused: { 401: body({ ...login, password: 'another' }) },
  },
  'POST /backend/login/idp': {
    good: [idToken({ sub: 'ada', email: 'ada@id.example.com' })],
    refused: {
      401: body({ idToken: 'a.b.c' }),
      403: idToken({ sub: 'bob', email: 'bob@id.example.com', email_verified: false }),
    },
  },
  'POST /backend/signup': {
    good: [() => ({ body: newUser() })],
    refused: {
      403: () => ({ body: newUser(), of: 'closed' }),
      409: body({ ...login, password: 'a long password' }),
    },
  },
  'POST /backend/logout': { good: [asStranger(), asStranger({})] },
  'GET /backend/sessions': { good: [nothing] },
  'POST /backend/sessions/end': { good: [asStranger(), asStranger({ keepThis: true })] },
  'POST /backend/password': {
    good: [asStranger({ currentPassword: 'a password', newPassword: 'another password' })],
  },

  'POST /backend/core-line/chart': {
    good: [
      body({ asset: 'BTC' }),
      body({ asset: 'BTC', interval: '1h', limit: 1_000 }),
      // Five hours are too few for a state.
      body({ asset: 'NEW', interval: '1h' }),
    ],
  },
  'POST /backend/core-line/flip-intelligence': {
    good: [
      body({ asset: 'BTC' }),
      body({ asset: 'BTC', interval: '1h', limit: 200 }),
      body({ asset: 'NEW', interval: '1h' }),
    ],
  },
  'POST /backend/core-line/backtest': {
    good: [
      body({ asset: 'BTC' }),
      body({ asset: 'BTC', strategy: 'ema_cross', interval: '1h', params: { fast: 5, slow: 30 } }),
      body({ asset: 'BTC', strategy: 'buy_and_hold', period: '3M' }),
    ],
  },
  'POST /backend/core-line/portfolio': {
    good: [
      body({}),
      async (scene) => ({ ...(await asHolder(scene)), body: { interval: '4h' } }),
      async (scene) => ({ ...(await asHolder(scene)), body: { exchange: 'PAPER' } }),
    ],
  },

  'GET /backend/backtests': {
    good: [nothing, async (scene) => ({ token: (await ownBacktest(scene)).token!, query: { limit: '1' } })],
  },
  'GET /backend/backtests/{id}': backtestCase,
  'GET /backend/backtests/{id}/trades.csv': backtestCase,
  'GET /backend/backtests/{id}/equity.csv': backtestCase,
  'DELETE /backend/backtests/{id}': backtestCase,

  'GET /backend/activepositions': { good: [nothing, asHolder] },
  'GET /backend/exchanges': { good: [nothing, asHolder] },
  'POST /backend/exchanges': {
    good: [body({ exchange: 'PAPER', holdings: [{ asset: 'BTC', quantity: '1' }] }), asStranger(exchangeKey)],
    refused: { 409: async (scene) => ({ ...(await asHolder(scene)), body: exchangeKey }) },
  },
  'DELETE /backend/exchanges/{exchange}': {
    good: [
      async ({ service }) => {
        const token = await service.signIn();
        await service.post('/backend/exchanges', exchangeKey, { 'session-token': token });
        return { token, place: { exchange: 'BINANCE' } };
      },
    ],
  },

  'GET /v3/ai/assess_risk': { good: asked(assessRisk, query) },
  'POST /v3/ai/assess_risk': { good: [...asked(assessRisk, body), ...asked(assessRisk, query)] },
  'GET /v3/ai/get_price': { good: asked(getPrice, query) },
  'POST /v3/ai/get_price': { good: [...asked(getPrice, body), ...asked(getPrice, query)] },

  'GET /operator/cluster': {
    good: [
      nothing,
      async ({ bury }) => {
        await bury();
        return {};
      },
    ],
  },
  'GET /operator/activity': { good: [nothing] },
  'POST /operator/jobs/cancel': { good: [body({ id: runningJob.id })] },
  'POST /operator/schedules/run': {
    good: [body({ name: 'clean-up' })],
    refused: { 409: body({ name: 'check-market' }) },
  },
  'POST /operator/dead-letters/retry-all': { good: [body({}), deadLetterThere] },
  'POST /operator/dead-letters/retry': { good: [deadLetter] },
  'POST /operator/dead-letters/drop': { good: [deadLetter, body({ id: 'all' })] },
};

function asked(all: Record<string, string>[], how: (given: Record<string, string>) => Ask): [Ask, ...Ask[]] {
  return all.map(how) as [Ask, ...Ask[]];
}
