import { allAnalyses } from '../../compute/analyses.js';
import { candleFields } from '../../gateway/operations/analysis/analysis-operation.js';
import { sampleParams } from '../support/jobs/sample-params.js';
import { exchangeKey, login, runningJob, type Scene } from './scene.js';
import { makeStoredExecution, storedOrder } from '../support/signals/make-stored-execution.js';
import { numberedBacktest } from '../support/backtests/numbered-backtests.js';
import { bookedTrade } from '../support/signals/booked-trade.js';
import { equitySnapshot } from '../support/signals/equity-snapshot.js';
import { bodyV1, bodyV2, partnerClient } from '../support/signals/partner-client.js';
import type { LinkKind } from '../../storage/mail/mail-kinds.js';
import { sessionIdOf, shownSessionId } from '../../storage/users/sessions.js';
import type { Question } from './question.js';
import { authorizationPath } from '../support/oauth/authorization-request.js';
import { newGrant, verifier } from '../support/oauth/new-grant.js';

const chartApp = {
  clientName: 'Chart app',
  redirectUri: 'https://app.example/back',
  redirectHost: 'app.example',
};

/** Makes a question; it is made anew for each time it is asked. */
export type Ask = (scene: Scene) => Question | Promise<Question>;

/** How an operation is asked so that it answers, in all ways that differ in what is answered. */
export interface Case {
  good: [Ask, ...Ask[]];
  /** Refusals that are the operation's own, by status. */
  refused?: Partial<Record<number, Ask>>;
}

/** A strategy with all that rules can say. */
const ownRules = {
  params: { fast: { default: 10, min: 5, max: 50, step: 5 } },
  long: {
    entry: {
      all: [
        { left: 'ema_{fast}', op: 'crosses_above', right: 'ema_50' },
        { left: 'rsi_14[1]', op: '<', right: 70 },
      ],
    },
    exit: { left: 'ema_{fast}', op: '<', right: 'ema_50' },
    stopLoss: { atr: 2 },
    takeProfit: { r: 2 },
  },
  short: {
    entry: { left: 'close', op: '<', right: 'donchian_lower_20[1]' },
    stopLoss: { percent: 4 },
    maxCandles: 24,
  },
  size: { riskPercent: 1 },
};

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
/** Asks as a new user, with the id that the list of sessions shows of theirs. */
const withSession: Ask = async ({ service }) => {
  const token = await service.signIn();
  return { token, place: { id: shownSessionId(sessionIdOf(token)!) } };
};
/** Asks as a new user to delete the account; as one whose signals are executed on a real exchange, if `exchange` is that. */
const toDelete =
  (exchange: string): Ask =>
  async ({ service }) => {
    const token = await service.signIn();
    const { storage } = service;
    const { userId } = (await storage.sessions.find(sessionIdOf(token)!))!;
    await storage.executions.addAll([makeStoredExecution({ userId, exchange })]);
    const { email } = (await storage.users.byId(userId))!;
    return { token, body: { password: 'a password', confirm: email } };
  };
/** Asks as a new user whose account something has happened to. */
const audited: Ask = async ({ service }) => {
  const token = await service.signIn();
  const { userId } = (await service.storage.sessions.find(sessionIdOf(token)!))!;
  const client = 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0';
  service.deps.audit.note('sign_in', userId, { address: '192.0.2.7', client }, { by: 'password' });
  return { token };
};
/** Asks as a user without a password who signed in an hour ago. */
const longSignedIn: Ask = async ({ service: { storage } }) => {
  const email = `long-${Math.random().toString(36).slice(2)}@example.com`;
  const { id } = await storage.users.add({ email, plan: 'free', passwordHash: null });
  const token = await storage.sessions.open(id, 'web', Date.now() - 3_600_000);
  return { token, body: { confirm: email } };
};
const idToken =
  (claims: Record<string, unknown>): Ask =>
  async ({ issuer }) => ({ body: { idToken: await issuer.sign(claims) } });
/** Asks as a user who has a token, with the id of that. */
const withToken =
  (question: (id: string) => Question): Ask =>
  async ({ service }) => {
    const token = await service.signIn();
    // Stored directly: a session that no gateway has seen meets the limits first, whatever the operation costs.
    const { personalTokens, sessions } = service.storage;
    const { userId } = (await sessions.find(sessionIdOf(token)!))!;
    const expiresAt = new Date(Date.now() + 86_400_000);
    const made = await personalTokens.add({ userId, name: 'laptop', scopes: ['read:analysis'], expiresAt });
    return { token, ...question(made.token.id) };
  };
/** Asks as a user who has connected an app, with the id of that. */
const withApp =
  (question: (id: string) => Question): Ask =>
  async ({ service }) => {
    const token = await service.signIn();
    const { grants, grantTokens, sessions } = service.storage;
    const { userId } = (await sessions.find(sessionIdOf(token)!))!;
    await grantTokens.exchange(await grants.consent(newGrant({ userId, ...chartApp })));
    const [{ id }] = await grants.ofUser(userId);
    return { token, ...question(id) };
  };
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
/** A user's own run of rules, named in the path. */
const ownRun: Ask = async ({ service }) => {
  const token = await service.signIn();
  const { payload } = await service.post(
    '/backend/research/backtest',
    { strategy: 'ema_cross', asset: 'BTC', interval: '4h' },
    { 'session-token': token },
  );
  return { token, place: { id: (payload as { id: string }).id } };
};
/** A user with a conversation, named in the path. */
const ownConversation: Ask = async ({ service }) => {
  const token = await service.signIn();
  const message = 'What is the price of BTC?';
  const { payload } = await service.post('/backend/assistant/chat', { message }, { 'session-token': token });
  return { token, place: { id: (payload as { conversationId: string }).conversationId } };
};
const noConversation: Ask = () => ({ place: { id: 'A'.repeat(24) } });
const conversationCase: Case = { good: [ownConversation], refused: { 404: noConversation } };
/** A conversation in which another message is being answered. */
const busyConversation: Ask = async (scene) => {
  const { token, place } = await ownConversation(scene);
  const { userId } = (await scene.service.deps.signedIn.find(token!))!;
  await scene.service.storage.conversations.begin(userId, place!.id);
  return { token: token!, body: { message: 'and ETH?', conversationId: place!.id } };
};
const strategyBody = {
  name: 'RSI below 30',
  strategy: { long: { entry: { left: 'rsi_14', op: '<', right: 30 } } },
};
/** A user who has saved a strategy whose first version is shared: its id and hash. */
const withStrategy =
  (question: (saved: { id: string; hash: string }) => Question): Ask =>
  async ({ service }) => {
    const token = await service.signIn();
    const headers = { 'session-token': token };
    const { payload } = await service.post('/backend/strategies', strategyBody, headers);
    const { id, hash } = payload as { id: string; hash: string };
    await service.post(`/backend/strategies/${id}/share`, { version: 1, shared: true }, headers);
    return { token, ...question({ id, hash }) };
  };
/** A user who has as many strategies as the plan keeps. */
const withAllStrategies: Ask = async ({ service }) => {
  const token = await service.signIn();
  for (let n = 0; n < 10; n++)
    await service.post('/backend/strategies', strategyBody, { 'session-token': token });
  return { token, body: strategyBody };
};
/** A user all of whose versions are shared. */
const withSharedVersions: Ask = async ({ service }) => {
  const { deps, storage } = service;
  const token = await service.signIn();
  const { userId } = (await deps.signedIn.find(token))!;
  const { savedStrategies } = storage;
  const rules = strategyBody.strategy;
  const given = { name: 'all', description: '', hash: 'h1', rules };
  const { id } = await savedStrategies.add({ userId, plan: 'free' }, given);
  for (let version = 1; version <= 50; version++) {
    if (version > 1) await savedStrategies.addVersion(userId, id, { hash: `h${version}`, rules });
    await savedStrategies.share(userId, id, { version, shared: true });
  }
  return { token, place: { id }, body: { strategy: rules } };
};
const noStrategy = { id: `str_${'a'.repeat(20)}` };
const question = { message: 'What is the price of BTC?' };
const lostConversation = body({ ...question, conversationId: 'A'.repeat(24) });
const noBacktest: Ask = () => ({ place: { id: '0'.repeat(64) } });
const backtestCase: Case = { good: [ownBacktest], refused: { 404: noBacktest } };
/** A backtest with a name, a note and a link, as a user shares it. */
const sharedBacktest: Ask = async (scene) => {
  const asked = await ownBacktest(scene);
  const { userId } = (await scene.service.deps.signedIn.find(asked.token!))!;
  await scene.service.deps.backtestWriter.settled(userId);
  const { markedBacktests } = scene.service.storage;
  await markedBacktests.change(userId, asked.place!.id, { name: 'Trend', note: 'looks good', isKept: true });
  const { token } = (await markedBacktests.share(userId, asked.place!.id))!;
  return { ...asked, place: { ...asked.place, token } };
};
/** Asks to keep a backtest as a user who keeps as many as they may. */
const withAllKept: Ask = async (scene) => {
  const asked = await ownBacktest(scene);
  const { storage, deps } = scene.service;
  const { userId } = (await deps.signedIn.find(asked.token!))!;
  const numbers = Array.from({ length: 50 }, (_, n) => numberedBacktest(userId, n));
  await storage.backtests.add(numbers);
  for (const { id } of numbers) await storage.markedBacktests.change(userId, id, { isKept: true });
  return { ...asked, body: { isKept: true } };
};
const runCase: Case = { good: [ownRun], refused: { 404: noBacktest } };
const deadLetterThere: Ask = async ({ bury }) => {
  await bury();
  return { body: {} };
};
const deadLetter: Ask = async ({ bury }) => ({ body: { id: await bury() } });

const ownSignal = ({ partner }: Scene): Promise<string> => partner.create();
/** A command on a new signal. */
const command =
  (fields: object): Ask =>
  async (scene) => {
    const id = await ownSignal(scene);
    return { place: { parent_signal_id: id }, body: { parent_signal_id: id, ...fields } };
  };
/** Asks as a user who acts for the partner. */
const asMember =
  (ask: Ask): Ask =>
  async (scene) => {
    const token = await scene.service.signIn();
    const { deps, storage } = scene.service;
    await storage.partners.addMember(scene.partner.name, (await deps.signedIn.find(token))!.userId);
    return { ...(await ask(scene)), token };
  };
/** Asks as a user who acts for a partner of whom something is exhausted. */
const asMemberOf =
  (given: object, exhaust: (scene: Scene, partner: { id: string; name: string }) => Promise<unknown>): Ask =>
  async (scene) => {
    const { deps, storage } = scene.service;
    const [token, partner] = [await scene.service.signIn(), await partnerClient(scene.service)];
    await storage.partners.addMember(partner.name, (await deps.signedIn.find(token))!.userId);
    await exhaust(scene, partner);
    return { token, body: given };
  };
let channels = 0;
const memberCommand = (fields: object): Case => ({ good: [asMember(command(fields))] });
/** The channel of the partner, which its first signal makes. */
const channelOf = async (scene: Scene): Promise<string> => {
  await ownSignal(scene);
  return (await scene.service.storage.channels.first(scene.partner.id))!.id;
};
/** A signal of another partner, whose channel is halted. */
const toHalted =
  (given: object): Ask =>
  async ({ service }) => {
    const { id, headers } = await partnerClient(service);
    const channel = await service.storage.channels.add({ partnerId: id, name: 'Halted' });
    await service.storage.halts.add({ exchange: null, partnerId: id, channelId: channel.id });
    return { body: given, headers };
  };
/** A channel one of whose signals has ended. */
const withOutcomes: Ask = async (scene) => {
  const channelId = await channelOf(scene);
  const outcome = { signalId: await ownSignal(scene), isPaper: true, channelId, followers: 1, isOpen: false };
  const figures = { returnPercent: 2.5, r: 0.8, entrySlippagePercent: null, deliverySlippagePercent: null };
  const closed = { costPercent: 0.2, closedAt: new Date() };
  await scene.service.storage.signalOutcomes.put([{ ...outcome, ...figures, ...closed }]);
  return { place: { id: channelId } };
};
const channelThere: Ask = async (scene) => (await channelOf(scene), {});
const subscribed = async (scene: Scene): Promise<{ token: string; channel: string; id: string }> => {
  const [token, channel] = [await scene.service.signIn(), await channelOf(scene)];
  const { payload } = await scene.service.post(
    '/backend/subscriptions',
    { channel },
    { 'session-token': token },
  );
  return { token, channel, id: (payload as { id: string }).id };
};
let orders = 0;
/** A user with an execution of a signal and its first order. */
const followed = async (scene: Scene): Promise<{ token: string; signalId: string; orderId: string }> => {
  const { token, channel, id } = await subscribed(scene);
  const [{ storage, deps }, signalId] = [scene.service, await ownSignal(scene)];
  const { userId } = (await deps.signedIn.find(token))!;
  const order = { ...storedOrder, clientOrderId: `order-${++orders}` };
  const at = new Date();
  const ids = { id: `${signalId}:${id}`, signalId, channelId: channel, subscriptionId: id, userId };
  const events = [
    { at, type: 'entry_reached', cause: 'the entry price was reached', figures: { leg: 'entry-1' } },
  ];
  await storage.executions.addAll([makeStoredExecution({ ...ids, orders: [order], events })]);
  return { token, signalId, orderId: order.clientOrderId };
};

/** A user with two trades that are over. */
const trader = async (scene: Scene): Promise<string> => {
  const { token, signalId } = await followed(scene);
  const { storage, deps } = scene.service;
  const { userId } = (await deps.signedIn.find(token))!;
  await storage.trades.book([bookedTrade({ userId, signalId }), bookedTrade({ userId })]);
  await storage.equity.add([
    equitySnapshot({ userId }),
    equitySnapshot({ userId, day: '2026-01-06', value: '10100' }),
    equitySnapshot({ userId, day: '2026-01-07', value: '10050', flow: '20', benchmark: '51000' }),
  ]);
  return token;
};

let signUps = 0;
const newUser = (): object => ({ email: `new-${++signUps}@example.com`, password: 'a long password' });

/** Asks the same as a user whose e-mail is not confirmed. */
const unconfirmed =
  (ask: Ask): Ask =>
  async (scene) => {
    const { users, sessions } = scene.service.storage;
    const stranger = { email: `new-${++signUps}@example.com`, plan: 'free', passwordHash: null } as const;
    const { id } = await users.add({ ...stranger, emailVerified: false });
    return { ...(await ask(scene)), token: await sessions.open(id, 'web') };
  };

/** Asks with the token of a link that was sent to a new user. */
const linkSent =
  (kind: LinkKind, more: object): Ask =>
  async ({ service }) => {
    const { users, mails } = service.storage;
    const email = `new-${++signUps}@example.com`;
    const { id } = await users.add({ email, plan: 'free', passwordHash: null, emailVerified: false });
    await mails.ask(kind, email);
    // Mails that other questions ask for are due, too.
    let mail = await mails.takeDue(Date.now(), 60_000);
    while (mail !== null && mail.email !== email) mail = await mails.takeDue(Date.now(), 60_000);
    return { body: { token: await mails.issueLink(mail!, id), ...more } };
  };

const authorization = Object.fromEntries(new URLSearchParams(authorizationPath().split('?')[1]));

/** The code of a new consent, as a client exchanges it. */
const withCode: Ask = async ({ service: { storage } }) => {
  const { id } = await storage.users.add({
    email: `new-${++signUps}@example.com`,
    plan: 'free',
    passwordHash: null,
  });
  const { clientId: client_id, ...grant } = newGrant({ userId: id });
  const code = await storage.grants.consent({ clientId: client_id, ...grant });
  return { body: { grant_type: 'authorization_code', code, client_id, code_verifier: verifier } };
};

const issuedTo = async (scene: Scene): Promise<string> => {
  const { body: asked } = await withCode(scene);
  return (await scene.service.storage.grantTokens.exchange((asked as { code: string }).code))!.refresh;
};
const withRefreshToken: Ask = async (scene) => ({
  body: { grant_type: 'refresh_token', refresh_token: await issuedTo(scene), client_id: 'client_test' },
});
const toRevoke: Ask = async (scene) => ({
  body: { token: await issuedTo(scene), client_id: 'client_test' },
});

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
  'POST /backend/analysis/assess-risk': {
    good: [body({ asset: 'BTC' }), body({ asset: 'ETH', tradeMarket: 'BTC', side: 'short' })],
  },
  'GET /backend/stream': {
    good: [query({ topics: 'flips,positions', seconds: '0' }), query({ seconds: '0', lastEventId: 'none' })],
  },
  'GET /backend/market': { good: [nothing, query({ interval: '1h' })] },
  'POST /backend/analysis/candles': {
    good: [
      body({ asset: 'BTC', limit: 3 }),
      body({ asset: 'NEW', interval: '1h', endTime: '2024-01-01T02:00:00Z' }),
      body({ asset: 'BTC', endTime: '1990-01-01' }),
    ],
  },
  'POST /backend/analysis/channel-performance': {
    good: [body({}), async (scene) => (await channelThere(scene), { body: { minSignals: 0 } })],
  },
  'POST /backend/analysis/data-status': { good: [body({}), body({ asset: 'ETH', tradeMarket: 'BTC' })] },
  'POST /backend/analysis/exchange-rules': {
    good: [body({ exchange: 'BINANCE', asset: 'BTC' })],
  },
  'GET /backend/analysis/supported-exchanges': { good: [nothing] },
  'POST /backend/analysis/supported-exchanges': { good: [body({})] },
  'POST /backend/analysis/prices': { good: [body({ assets: ['BTC', 'NEW'] })] },
  'POST /backend/analysis/validate-signal': {
    good: [
      body({ signal: { ...bodyV2, stop_loss: '100', account: 'FUTURES', leverage: 20 } }),
      body({ version: 'v1', signal: bodyV1 }),
      body({ signal: {} }),
    ],
  },
  'POST /backend/analysis/risk-calibration': { good: [body({}), body({ asset: 'BTC' })] },
  'POST /backend/analysis/strategy-leaderboard': { good: [body({}), body({ rankBy: 'oos_return' })] },
  'POST /backend/research/check': {
    good: [body({ strategy: 'ema_cross' }), body({ strategy: ownRules, interval: '1h' })],
    refused: { 400: body({ strategy: { long: {} } }), 404: body({ strategy: noStrategy.id }) },
  },
  'POST /backend/research/backtest': {
    good: [
      body({ strategy: 'rsi_reversal', asset: 'BTC' }),
      body({
        strategy: ownRules,
        assets: ['BTC', 'ETH'],
        interval: '4h',
        from: '2024-03-01',
        rankBy: '-change_5',
      }),
    ],
    refused: {
      400: body({ strategy: ownRules }),
      404: body({ strategy: noStrategy.id, asset: 'BTC' }),
    },
  },
  'POST /backend/research/sweep': {
    good: [
      body({ strategy: ownRules, asset: 'BTC', interval: '4h', grid: { fast: [5, 20] }, keep: 1 }),
      body({ strategy: ownRules, asset: 'BTC', random: { samples: 2, seed: 1 }, rankBy: 'totalReturn' }),
    ],
    refused: {
      400: body({ strategy: ownRules, asset: 'BTC', grid: { fast: [7] } }),
      404: body({ strategy: noStrategy.id, asset: 'BTC', grid: { fast: [5] } }),
    },
  },
  'POST /backend/research/walk-forward': {
    good: [body({ strategy: ownRules, asset: 'BTC', interval: '4h', grid: { fast: [5, 20] }, folds: 2 })],
    refused: { 404: body({ strategy: noStrategy.id, asset: 'BTC', grid: { fast: [5] } }) },
  },
  'GET /backend/research/runs': {
    good: [nothing, async (scene) => ({ token: (await ownRun(scene)).token!, query: { limit: '1' } })],
  },
  'GET /backend/research/runs/{id}': runCase,
  'POST /backend/research/runs/{id}/monte-carlo': {
    good: [async (scene) => ({ ...(await ownRun(scene)), body: { paths: 200 } })],
    refused: { 404: noBacktest },
  },
  'GET /backend/research/runs/{id}/trades.csv': runCase,
  'GET /backend/research/runs/{id}/equity.csv': runCase,
  'DELETE /backend/research/runs/{id}': runCase,
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
    },
  },
  'POST /backend/logout': { good: [asStranger(), asStranger({})] },
  'GET /backend/account': { good: [nothing] },
  'POST /backend/account/delete': {
    good: [toDelete('PAPER')],
    refused: { 403: longSignedIn, 409: toDelete('BINANCE') },
  },
  'GET /backend/audit': { good: [audited, query({ event: 'sign_in', limit: '1' })] },
  'GET /backend/preferences': { good: [nothing] },
  'PUT /backend/preferences': {
    good: [body({}), body({ watchlist: ['BTC'], indicators: [{ name: 'rsi', params: { period: 7 } }] })],
  },
  'GET /backend/usage': { good: [nothing] },
  'GET /backend/session': { good: [nothing, () => ({ token: null })] },
  'GET /backend/sessions': { good: [nothing] },
  'POST /backend/sessions/end': { good: [asStranger(), asStranger({ keepThis: true })] },
  'DELETE /backend/sessions/{id}': {
    good: [withSession],
    refused: { 404: () => ({ place: { id: '0123456789abcdef01234567' } }) },
  },
  'POST /backend/password': {
    good: [asStranger({ currentPassword: 'a password', newPassword: 'another password' })],
  },
  'POST /backend/password/forgot': { good: [() => ({ body: { email: `new-${++signUps}@example.com` } })] },
  'POST /backend/password/reset': {
    good: [linkSent('reset', { newPassword: 'another password' })],
    refused: { 400: body({ token: 'x'.repeat(43), newPassword: 'another password' }) },
  },
  'POST /backend/verify-email': {
    good: [linkSent('verify', {})],
    refused: { 400: body({ token: 'x'.repeat(43) }) },
  },
  'POST /backend/verify-email/send': { good: [asStranger(), asStranger({})] },
  'GET /.well-known/oauth-authorization-server': { good: [nothing] },
  'GET /authorize': {
    good: [query(authorization)],
    refused: { 303: query({ ...authorization, response_type: 'token' }) },
  },
  'POST /register': { good: [body({ client_name: 'Chart app', redirect_uris: [chartApp.redirectUri] })] },
  'POST /revoke': { good: [toRevoke] },
  'POST /token': { good: [withCode, withRefreshToken] },
  'GET /backend/tokens': { good: [nothing, withToken(() => ({}))] },
  'POST /backend/tokens': {
    good: [
      asStranger({ name: 'laptop' }),
      asStranger({ name: 'reader', scopes: ['read:portfolio'], expiresInDays: 1 }),
    ],
    refused: {
      403: unconfirmed(body({ name: 'laptop' })),
      409: withToken(() => ({ body: { name: 'laptop' } })),
    },
  },
  'DELETE /backend/tokens/{id}': {
    good: [withToken((id) => ({ place: { id } }))],
    refused: { 404: () => ({ place: { id: '0123456789abcdef01234567' } }) },
  },
  'GET /backend/apps': { good: [nothing, withApp(() => ({}))] },
  'DELETE /backend/apps/{id}': {
    good: [withApp((id) => ({ place: { id } }))],
    refused: { 404: () => ({ place: { id: '0123456789abcdef01234567' } }) },
  },

  'POST /backend/core-line/chart': {
    good: [
      body({ asset: 'BTC' }),
      body({ asset: 'BTC', interval: '1h', limit: 1_000 }),
      body({ asset: 'BTC', interval: '1h', limit: 10, before: '2024-01-10' }),
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
  'GET /backend/backtest-result': {
    good: [
      nothing,
      ...['summary', 'trades', 'equity'].map((section): Ask => async (scene) => {
        const { token, place } = await ownBacktest(scene);
        return { token: token!, query: { backtestId: place!.id, section, limit: '2' } };
      }),
    ],
    refused: { 404: query({ backtestId: '0'.repeat(64) }) },
  },
  'POST /backend/backtests/{id}/monte-carlo': {
    good: [async (scene) => ({ ...(await ownBacktest(scene)), body: { paths: 200 } })],
    refused: { 404: async () => ({ ...(await noBacktest({} as Scene)), body: {} }) },
  },
  'GET /backend/backtests/{id}': backtestCase,
  'GET /backend/backtests/{id}/trades.csv': backtestCase,
  'GET /backend/backtests/{id}/equity.csv': backtestCase,
  'DELETE /backend/backtests/{id}': backtestCase,
  'PATCH /backend/backtests/{id}': {
    good: [
      async (scene) => ({ ...(await sharedBacktest(scene)), body: { name: 'Trend of BTC', isKept: true } }),
      async (scene) => ({ ...(await ownBacktest(scene)), body: {} }),
    ],
    refused: {
      404: () => ({ place: { id: '0'.repeat(64) }, body: { isKept: true } }),
      409: withAllKept,
    },
  },
  'POST /backend/backtests/{id}/share': { ...backtestCase, good: [ownBacktest, sharedBacktest] },
  'DELETE /backend/backtests/{id}/share': { ...backtestCase, good: [ownBacktest, sharedBacktest] },
  'GET /backend/shared/{token}': {
    good: [sharedBacktest],
    refused: { 404: () => ({ place: { token: 'A'.repeat(22) } }) },
  },
  'GET /backend/strategies': { good: [withStrategy(() => ({}))] },
  'POST /backend/strategies': { good: [body(strategyBody)], refused: { 409: withAllStrategies } },
  'GET /backend/strategies/shared/{hash}': {
    good: [withStrategy(({ hash }) => ({ place: { hash } }))],
    refused: { 404: () => ({ place: { hash: '0'.repeat(64) } }) },
  },
  'GET /backend/strategies/{id}': {
    good: [withStrategy(({ id }) => ({ place: { id } }))],
    refused: { 404: () => ({ place: noStrategy }) },
  },
  'PUT /backend/strategies/{id}': {
    good: [withStrategy(({ id }) => ({ place: { id }, body: { strategy: strategyBody.strategy } }))],
    refused: {
      404: () => ({ place: noStrategy, body: { strategy: strategyBody.strategy } }),
      409: withSharedVersions,
    },
  },
  'DELETE /backend/strategies/{id}': {
    good: [withStrategy(({ id }) => ({ place: { id } }))],
    refused: { 404: () => ({ place: noStrategy }) },
  },
  'POST /backend/strategies/{id}/share': {
    good: [withStrategy(({ id }) => ({ place: { id }, body: { version: 1, shared: false } }))],
    refused: { 404: () => ({ place: noStrategy, body: { version: 1, shared: true } }) },
  },

  'POST /backend/assistant/chat': {
    good: [body(question), asStranger({ message: '\u{1F4C8}'.repeat(2_000) })],
    refused: { 404: lostConversation, 409: busyConversation },
  },
  'POST /backend/assistant/guest-chat': {
    good: [body(question)],
    refused: {
      404: lostConversation,
      409: async ({ service }) => {
        const { payload } = await service.post('/backend/assistant/guest-chat', question);
        const { conversationId } = payload as { conversationId: string };
        await service.storage.conversations.begin(null, conversationId);
        return { body: { ...question, conversationId } };
      },
    },
  },
  'GET /backend/conversations': {
    good: [nothing, async (scene) => ({ token: (await ownConversation(scene)).token! })],
  },
  'GET /backend/conversations/{id}': conversationCase,
  'DELETE /backend/conversations/{id}': conversationCase,

  'GET /backend/activepositions': { good: [nothing, asHolder] },
  'GET /backend/portfolio': { good: [nothing, asHolder] },
  'POST /backend/portfolio/risk': {
    good: [
      body({}),
      async (scene) => ({
        ...(await asHolder(scene)),
        body: { changes: [{ asset: 'BTC', quantityDelta: -0.1 }] },
      }),
    ],
  },
  'GET /backend/positions/{asset}': {
    good: [
      () => ({ place: { asset: 'BTC' } }),
      async (scene) => ({ ...(await asHolder(scene)), place: { asset: 'BTC' } }),
    ],
  },
  'GET /backend/balances': { good: [nothing, asHolder] },
  'GET /backend/exchanges': { good: [nothing, asHolder] },
  'POST /backend/exchanges': {
    good: [body({ exchange: 'PAPER', holdings: [{ asset: 'BTC', quantity: '1' }] }), asStranger(exchangeKey)],
    refused: {
      403: unconfirmed(body(exchangeKey)),
      409: async (scene) => ({ ...(await asHolder(scene)), body: exchangeKey }),
    },
  },
  'DELETE /backend/exchanges/{exchange}': {
    good: [
      async ({ service }) => {
        const token = await service.signIn();
        await service.post('/backend/exchanges', exchangeKey, { 'session-token': token });
        return { token, place: { exchange: 'BINANCE' } };
      },
    ],
    refused: {
      409: async (scene) => ({
        ...(await toDelete('BINANCE')(scene)),
        body: undefined,
        place: { exchange: 'BINANCE' },
      }),
    },
  },

  'GET /backend/channels': { good: [nothing, async (scene) => ({ ...(await channelThere(scene)) })] },
  'GET /backend/channels/{id}': {
    good: [async (scene) => ({ place: { id: await channelOf(scene) } }), withOutcomes],
    refused: { 404: () => ({ place: { id: 'nothing' } }) },
  },
  'GET /backend/subscriptions': {
    good: [nothing, async (scene) => ({ token: (await subscribed(scene)).token })],
  },
  'POST /backend/subscriptions': {
    good: [
      async (scene) => ({ token: await scene.service.signIn(), body: { channel: await channelOf(scene) } }),
      async (scene) => ({
        token: await scene.service.signIn(),
        body: {
          ...{ channel: await channelOf(scene), exchange: 'PAPER', autoInvest: false, investPercent: 2.5 },
          ...{
            maxOpenSignals: 3,
            maxExposure: 1.5,
            maxDailyLoss: 5,
            maxTotalExposure: 50,
            sides: ['long'],
            accounts: ['SPOT'],
          },
          stopOnExchange: false,
        },
      }),
    ],
    refused: {
      403: unconfirmed(async (scene) => ({ body: { channel: await channelOf(scene) } })),
      409: async (scene) => {
        const { token, channel } = await subscribed(scene);
        return { token, body: { channel } };
      },
    },
  },
  'PATCH /backend/subscriptions/{id}': {
    good: [
      async (scene) => {
        const { token, id } = await subscribed(scene);
        return { token, place: { id }, body: { isPaused: true, maxDailyLoss: null } };
      },
    ],
    refused: { 404: () => ({ place: { id: 'nothing' }, body: {} }) },
  },
  'DELETE /backend/subscriptions/{id}': {
    good: [
      async (scene) => {
        const { token, id } = await subscribed(scene);
        return { token, place: { id }, query: { close: 'true' } };
      },
    ],
    refused: { 404: () => ({ place: { id: 'nothing' } }) },
  },
  'GET /backend/signals': {
    good: [nothing, async (scene) => ({ token: (await followed(scene)).token, query: { limit: '1' } })],
  },
  'GET /backend/signals/{parent_signal_id}': {
    good: [
      async (scene) => {
        const { token, signalId } = await followed(scene);
        return { token, place: { parent_signal_id: signalId } };
      },
    ],
    refused: { 404: () => ({ place: { parent_signal_id: 'nothing' } }) },
  },
  'GET /backend/orders': {
    good: [nothing, async (scene) => ({ token: (await followed(scene)).token, query: { asset: 'BTC' } })],
  },
  'GET /backend/orders/{id}': {
    good: [
      async (scene) => {
        const { token, orderId } = await followed(scene);
        return { token, place: { id: orderId } };
      },
    ],
    refused: { 404: () => ({ place: { id: 'nothing' } }) },
  },
  'GET /backend/equity': {
    good: [nothing, async (scene) => ({ token: await trader(scene), query: { period: 'all' } })],
  },
  'GET /backend/pnl': {
    good: [
      nothing,
      async (scene) => ({ token: await trader(scene), query: { groupBy: 'day', period: 'all' } }),
    ],
  },
  'GET /backend/trades': {
    good: [nothing, async (scene) => ({ token: await trader(scene), query: { limit: '1' } })],
  },
  'POST /backend/trading/pause': { good: [asStranger({}), asStranger({ exchange: 'PAPER' })] },
  'POST /backend/trading/resume': { good: [asStranger({}), asStranger({ exchange: 'PAPER' })] },
  'POST /backend/signals/{parent_signal_id}/close': {
    good: [
      async (scene) => {
        const { token, signalId } = await followed(scene);
        return { token, place: { parent_signal_id: signalId }, body: { exchange: 'PAPER' } };
      },
    ],
    refused: { 404: () => ({ place: { parent_signal_id: 'nothing' } }) },
  },
  'POST /backend/trading/close-all': { good: [asStranger({}), asStranger({ exchange: 'PAPER' })] },

  'GET /backend/partner': { good: [asMember(channelThere)] },
  'POST /backend/partner/channels': {
    good: [asMember(() => ({ body: { name: `Channel ${++channels}` } }))],
    refused: {
      409: asMemberOf({ name: 'Taken' }, ({ service }, { id }) =>
        service.storage.channels.add({ partnerId: id, name: 'Taken' }),
      ),
    },
  },
  'PATCH /backend/partner/channels/{id}': {
    good: [
      asMember(async (scene) => ({ place: { id: await channelOf(scene) }, body: { description: 'Majors' } })),
    ],
    refused: { 404: asMember(() => ({ place: { id: 'nothing' }, body: {} })) },
  },
  'POST /backend/partner/keys': {
    good: [asMemberOf({}, async () => undefined)],
    refused: {
      409: asMemberOf({}, async ({ service }, { name }) => {
        const box = await service.deps.exchanges.exchanges.box();
        for (let n = 1; n < 10; n++) await service.storage.partners.addKey(name, box);
      }),
    },
  },
  'DELETE /backend/partner/keys/{key}': {
    good: [
      asMember(async ({ service, partner }) => {
        const made = await service.storage.partners.addKey(
          partner.name,
          await service.deps.exchanges.exchanges.box(),
        );
        return { place: { key: (made as { key: string }).key } };
      }),
    ],
    refused: { 404: asMember(() => ({ place: { key: '0'.repeat(32) } })) },
  },
  'GET /backend/partner/signals': { good: [asMember(async (scene) => (await ownSignal(scene), {}))] },
  'POST /backend/partner/signals': {
    good: [
      asMember(body(bodyV1)),
      asMember(async (scene) => ({ body: { ...bodyV1, channel: await channelOf(scene) } })),
    ],
    refused: {
      409: asMemberOf(bodyV1, async ({ service }, { id }) => {
        const channel = await service.storage.channels.add({ partnerId: id, name: 'Halted' });
        await service.storage.halts.add({ exchange: null, partnerId: id, channelId: channel.id });
      }),
    },
  },
  'POST /backend/partner/signals/validate': {
    good: [asMember(body(bodyV1)), asMember(body({}))],
    refused: { 400: asMember(() => ({ body: '[]' })) },
  },
  'GET /backend/partner/signals/{parent_signal_id}': {
    good: [asMember(async (scene) => ({ place: { parent_signal_id: await ownSignal(scene) } }))],
  },
  'POST /backend/partner/signals/{parent_signal_id}/takeprofit': memberCommand({
    ...{ order_type: 'limit', sell_price: '125', sell_amount_relative: 100 },
  }),
  'POST /backend/partner/signals/{parent_signal_id}/trailingstop': memberCommand({
    ...{ trailing_stop_price: '95', trailing_stop_limit_price: '94' },
  }),
  'POST /backend/partner/signals/{parent_signal_id}/rebuy': memberCommand({
    ...{ buy_price_min: '80', buy_price_max: '90' },
  }),
  'POST /backend/partner/signals/{parent_signal_id}/dca': memberCommand({ buy_price: '90', multiplier: 2 }),
  'PUT /backend/partner/signals/{parent_signal_id}/prices': memberCommand({ stop_loss: '95' }),
  'DELETE /backend/partner/signals/{parent_signal_id}': {
    good: [asMember(async (scene) => ({ place: { parent_signal_id: await ownSignal(scene) } }))],
  },

  'POST /v1/signal': {
    good: [body(bodyV1), body({ formatted_text: bodyV1 })],
    refused: { 409: toHalted(bodyV1) },
  },
  'POST /v2/signal': { good: [body(bodyV2)], refused: { 409: toHalted(bodyV2) } },
  'POST /v1/signal/validate': { good: [body(bodyV1), body({})], refused: { 400: () => ({ body: '[]' }) } },
  'POST /v2/signal/validate': {
    good: [body({ ...bodyV2, stop_loss: '100', account: 'FUTURES', leverage: 20 }), body({})],
    refused: { 400: () => ({ body: '[]' }) },
  },
  'GET /v1/channel': { good: [nothing, async (scene) => (await ownSignal(scene), {})] },
  'GET /v1/signal': { good: [nothing, async (scene) => (await ownSignal(scene), { query: { limit: '1' } })] },
  'GET /v1/signal/{parent_signal_id}': {
    good: [async (scene) => ({ place: { parent_signal_id: await ownSignal(scene) } })],
  },
  'POST /v1/signal/{parent_signal_id}/call/takeprofit': {
    good: [command({ order_type: 'limit', sell_price: '125', sell_amount_relative: 100 })],
  },
  'POST /v1/signal/{parent_signal_id}/call/trailingstop': {
    good: [command({ trailing_stop_price: '95', trailing_stop_limit_price: '94' })],
  },
  'POST /v1/signal/{parent_signal_id}/call/rebuy': {
    good: [command({ buy_price_min: '80', buy_price_max: '90' })],
  },
  'POST /v1/signal/{parent_signal_id}/call/dca': { good: [command({ buy_price: '90', multiplier: 2 })] },
  'PUT /v1/signal/{parent_signal_id}/updateprice': { good: [command({ stop_loss: '95' })] },
  'DELETE /v1/signal/{parent_signal_id}/cancel': { good: [command({})] },

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
