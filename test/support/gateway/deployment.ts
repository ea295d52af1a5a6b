import { openStorage } from '../../../storage/index.js';
import { hashPassword } from '../../../storage/users/password.js';
import { unlimited } from './unlimited.js';
import { randomCandles } from '../candles/random-candles.js';
import { ask, RoleChild } from '../process/role-child.js';
import { until } from '../process/until.js';

export interface DeploymentOptions {
  redisUrl: string;
  mongodbUrl: string;
  computeNodes?: number;
  env?: Record<string, string>;
  /** Variables of one role alone. */
  more?: Partial<Record<'gateway' | 'compute', Record<string, string>>>;
}

/** One gateway and compute nodes as processes over the given servers, with 200 days of BTC/USDT and a user. */
export interface Deployment {
  gateway: RoleChild;
  nodes: RoleChild[];
  env: Record<string, string>;
  login: { email: string; password: string };
  backtest: (body?: object, headers?: Record<string, string>) => ReturnType<typeof ask>;
  chart: (body?: object, headers?: Record<string, string>) => ReturnType<typeof ask>;
  signIn: () => ReturnType<typeof ask>;
  positions: () => ReturnType<typeof ask>;
  /** As a trusted agent, which needs no signature. */
  risk: () => ReturnType<typeof ask>;
  price: () => ReturnType<typeof ask>;
  /** The session token its questions go with. */
  token: string;
  readyz: () => ReturnType<typeof ask>;
  /** Resolves when every part answers. */
  ready: (withinMs?: number) => Promise<void>;
  close: () => Promise<void>;
}

export async function openDeployment({
  redisUrl,
  mongodbUrl,
  computeNodes = 1,
  env = {},
  more = {},
}: DeploymentOptions): Promise<Deployment> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 10_000 });
  const login = { email: 'ada@example.com', password: 'a password' };
  await storage.migrate();
  await storage.candles.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, randomCandles(24 * 200));
  const passwordHash = await hashPassword(login.password);
  const { id } = await storage.users.add({ email: login.email, plan: 'free', passwordHash });
  const token = await storage.sessions.open(id, 'web');
  await storage.close();

  const urls = { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl, ...unlimited, ...env };
  const [gateway, ...nodes] = await Promise.all([
    RoleChild.start('gateway', { ...urls, ...more.gateway }),
    ...Array.from({ length: computeNodes }, () => RoleChild.start('compute', { ...urls, ...more.compute })),
  ]);
  const { url } = gateway.facts;
  const agent = { 'User-Agent': 'ChatGPT-User/1.0' };
  const question = { asset: 'BTC', interval: '1h', period: '3M' };
  const deployment: Deployment = {
    gateway,
    nodes,
    env: urls,
    login,
    token,
    backtest: (body = {}, headers = {}) =>
      ask(url, '/backend/core-line/backtest', { ...question, ...body }, token, headers),
    chart: (body = {}, headers = {}) =>
      ask(url, '/backend/core-line/chart', { asset: 'BTC', interval: '1h', ...body }, '', headers),
    signIn: () => ask(url, '/backend/login', login),
    positions: () => ask(url, '/backend/activepositions', undefined, token),
    risk: () => ask(url, '/v3/ai/assess_risk?coin=BTC', undefined, '', agent),
    price: () => ask(url, '/v3/ai/get_price?base_asset=BTC', undefined, '', agent),
    readyz: () => ask(url, '/readyz'),
    ready: async (withinMs = 10_000) =>
      void (await until(
        'a service that is ready',
        async () => (await deployment.readyz()).status === 200,
        withinMs,
      )),
    close: async () => {
      await Promise.all([gateway, ...nodes].map((role) => role.kill()));
    },
  };
  return deployment;
}
