import { AppError, type ErrorCode } from '../../compute/model/errors.js';
import type { Candles } from '../../compute/model/candles.js';
import { calibrateRisk } from '../../compute/risk/calibrate-risk.js';
import { sumLabels } from '../../compute/risk/label-sums.js';
import { createGateway } from '../../gateway/app.js';
import type { Deps } from '../../gateway/context.js';
import type { RateLimits } from '../../gateway/limits/rate-limits.js';
import { openDeps } from '../../gateway/open-deps.js';
import { DeadLetters } from '../../storage/cluster/dead-letters.js';
import { announceNode, type RunningJob } from '../../storage/cluster/nodes.js';
import { scheduleQueueName } from '../../storage/cluster/queues.js';
import { ScheduleRuns, type ScheduleRun } from '../../storage/cluster/schedule-runs.js';
import { hashPassword } from '../../storage/users/password.js';
import { buryCoreLine, coreLineLetter } from '../support/jobs/bury-core-line.js';
import { FakeExchange } from '../support/fake-exchange/fake-exchange.js';
import type { TestService } from '../support/gateway/gateway.js';
import { openKeyTrials } from '../support/jobs/key-trials.js';
import { listenLocally } from '../support/servers/listen-locally.js';
import { LocalIssuer } from '../support/gateway/local-issuer.js';
import { partnerClient, type PartnerClient } from '../support/signals/partner-client.js';
import { openTestMarket } from '../support/candles/market.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { testSecret } from '../support/gateway/signed.js';

export const login = { email: 'ada@example.com', password: 'a password' };
export const exchangeKey = { exchange: 'BINANCE', apiKey: 'K'.repeat(64), apiSecret: 'S'.repeat(64) };

/** A job that a node tells of. */
export const runningJob: RunningJob = {
  ...{ id: 'f0b6 0', name: 'sweep', traceId: '5f1c3a52-6d0e-4a57-9b0e-2f8d1c7a9e10' },
  ...{ ms: 4_200, phase: 'testing', fraction: 0.4 },
};

/** Gateways over one Redis and one MongoDB: one as it should be, and others that refuse. */
export type GatewayName = 'open' | 'narrow' | 'closed' | 'broken' | 'away' | 'late';

/** What the questions of the contract are asked of. */
export interface Scene {
  service: TestService;
  issuer: LocalIssuer;
  urls: Record<GatewayName, string>;
  /** Session tokens: a user with nothing, one with holdings and a connected exchange, and an operator. */
  tokens: Record<'user' | 'holder' | 'operator', string>;
  /** Personal access tokens of the user with nothing, each with one scope. */
  personal: Record<'analysis' | 'portfolio', string>;
  /** A partner with a channel. */
  partner: PartnerClient;
  /** Buries the job that computes the core line of BTC/USDT; tells the id of the letter. */
  bury: () => Promise<string>;
  close(): Promise<void>;
}

/** Errors that no question brings about by itself: the counting of points, which every operation begins with, throws them. */
const faults: Partial<Record<GatewayName, ErrorCode | null>> = {
  broken: null,
  away: 'mongodb_unavailable',
  late: 'time_limit',
};

export async function openScene(): Promise<Scene> {
  const [issuer, exchange] = [
    await LocalIssuer.open(),
    await FakeExchange.open([{ base: 'BTC', quote: 'USDT', candles: randomCandles(30) }]),
  ];
  const { apiKey, apiSecret: secret } = exchangeKey;
  exchange.account({ apiKey, secret }, { USDT: { free: '5' } });
  const env = {
    AI_API_SECRETS: testSecret,
    EXCHANGES: `BINANCE=binance@${exchange.url}`,
    IDP_ISSUERS: `${issuer.url} ${issuer.audience}`,
    SECRETS_KEY: 'ab'.repeat(32),
  };
  const { service, btc } = await openTestMarket({ env });
  const { deps, storage, settings, redisUrl } = service;
  const trials = await openKeyTrials({ settings, redisUrl });
  const { close: closeOthers, urls } = await openOthers(service);
  const node = announceNode(deps.redis, 'gateway', () => ({ threads: null, busy: null, running: 0 }));
  const worker = announceNode(
    deps.redis,
    'market',
    () => ({ threads: null, busy: null, running: 1, jobs: [runningJob] }),
    [scheduleQueueName],
  );
  await storage.users.add({
    email: login.email,
    plan: 'plus',
    passwordHash: await hashPassword(login.password),
  });
  await calibrate(service, btc);
  await fillCluster(new DeadLetters(deps.redis), new ScheduleRuns(deps.redis));
  const tokens = {
    user: await service.signIn(),
    holder: await service.signIn(),
    operator: await service.signIn({ operator: true }),
  };
  await fillAccount(service, tokens.holder);
  const personal = await personalTokens(service, tokens.user);
  const partner = await partnerClient(service);
  return {
    ...{ service, issuer, tokens, personal, partner, urls: { open: service.url, ...urls } },
    bury: () => buryCoreLine(service),
    async close() {
      await worker.stop();
      await node.stop();
      await trials.close();
      await closeOthers();
      await service.close();
      issuer.close();
      await exchange.close();
    },
  };
}

async function personalTokens({ storage, deps }: TestService, session: string): Promise<Scene['personal']> {
  const { userId } = (await deps.signedIn.find(session))!;
  const expiresAt = new Date(Date.now() + 86_400_000);
  const make = async (scope: 'read:analysis' | 'read:portfolio') =>
    (await storage.personalTokens.add({ userId, name: scope, scopes: [scope], expiresAt })).secret;
  return { analysis: await make('read:analysis'), portfolio: await make('read:portfolio') };
}

/** What the nightly schedule leaves behind, of one pair. */
async function calibrate({ storage, settings }: TestService, candles: Candles): Promise<void> {
  const calibration = calibrateRisk(sumLabels({ candles, leading: candles, isLeading: true }))!;
  const stored = { market: settings.MARKET, pairs: 1, computedAt: new Date(), calibration };
  for (const pair of [null, { base: 'BTC', quote: 'USDT' }])
    await storage.riskCalibrations.put({ ...stored, pair }, 1);
}

/** A letter that cannot run again, and schedules in every state. */
async function fillCluster(letters: DeadLetters, runs: ScheduleRuns): Promise<void> {
  await letters.add({
    ...coreLineLetter,
    id: 'zz',
    error: { ...coreLineLetter.error, message: '', stack: null },
  });
  const at = new Date().toISOString();
  const run: ScheduleRun = {
    ...{ name: 'clean-up', jobId: '1', dueAt: at, startedAt: at, endedAt: at },
    ...{ outcome: 'done', note: '3 sessions dropped', node: 'host:1', attempt: 1 },
  };
  await runs.put(run, 1);
  await runs.put(
    { ...run, name: 'check-market', dueAt: null, endedAt: null, outcome: 'running', note: '' },
    1,
  );
}

async function fillAccount(service: TestService, token: string): Promise<void> {
  const holdings = ['BTC', 'ETH', 'NEW'].map((asset) => ({ asset, quantity: '0.5' }));
  for (const body of [{ exchange: 'PAPER', holdings }, exchangeKey]) {
    const { status, payload } = await service.post('/backend/exchanges', body, { 'session-token': token });
    if (status !== 200) throw new Error(JSON.stringify(payload));
  }
}

/** The gateways that refuse, over the servers of the service. */
async function openOthers({ settings, redisUrl, mongodbUrl, deps }: TestService) {
  const ones = [
    'RATE_GUEST',
    'RATE_FREE',
    'RATE_PLUS',
    'RATE_PRO',
    'RATE_SIGNED',
    'RATE_AGENT',
    'RATE_SIGNALS',
    'RATE_COMMANDS',
    'RATE_OAUTH',
    'RATE_UNPRICED',
  ] as const;
  const rates = Object.fromEntries(ones.map((name) => [name, 1]));
  const narrowed = { ...settings, ...rates };
  const narrow = await openDeps({ settings: narrowed, redisUrl, mongodbUrl, log: deps.log });
  const faulty = Object.entries(faults).map(([name, code]) => [name, withFault(deps, code)] as const);
  const gateways: (readonly [name: string, deps: Deps])[] = [
    ['narrow', narrow.deps],
    ['closed', { ...deps, settings: { ...settings, SIGN_UP: 'off' } }],
    ...faulty,
  ];
  const servers = gateways.map(([name, own]) => [name, createGateway(own)] as const);
  const addresses = servers.map(async ([name, server]) => [name, await listenLocally(server)] as const);
  const urls = Object.fromEntries(await Promise.all(addresses));
  const close = async () => {
    for (const [, server] of servers) {
      server.closeAllConnections();
      server.close();
    }
    await narrow.close();
  };
  return { urls: urls as Record<Exclude<GatewayName, 'open'>, string>, close };
}

/** The same but for its rate limits, which throw what is no error of ours, or one with the code. */
function withFault(deps: Deps, code: ErrorCode | null): Deps {
  const error = code === null ? new TypeError('x is not a function') : new AppError(code, 'not now');
  const broken: Pick<RateLimits, 'consume' | 'mayRunAhead' | 'spendKnown'> = {
    consume: () => Promise.reject(error),
    mayRunAhead: () => true,
    spendKnown: () => null,
  };
  return { ...deps, limits: Object.assign(Object.create(deps.limits) as RateLimits, broken) };
}
