import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BookAccount } from '../fake-exchange/book/matching-engine.js';
import { FakeExchange, hangs } from '../fake-exchange/fake-exchange.js';
import { openTestService, type TestAnswer, type TestService } from './gateway.js';
import { openKeyTrials, type KeyTrials } from '../jobs/key-trials.js';
import { logLines } from '../process/log-lines.js';
import { randomCandles } from '../candles/random-candles.js';
import { RoleChild } from '../process/role-child.js';
import { until } from '../process/until.js';

export const path = '/backend/exchanges';
export const apiKey = 'aKeyOfTheExchange'.padEnd(64, 'k');
export const secret = 'theSecretOfThatKey'.padEnd(64, 's');
export const body = { exchange: 'BINANCE', apiKey, apiSecret: secret };
export const permissionsPath = '/sapi/v1/account/apiRestrictions';

/** A service, and an exchange with one account whose key is tried. */
export class KeyTrialRig {
  exchange!: FakeExchange;
  account!: BookAccount;
  service!: TestService;
  token!: string;
  /** The settings of every process of the service. */
  env!: Record<string, string>;
  folder!: string;
  readonly #logged = logLines();
  #accounts = 0;
  #open: { close(): Promise<unknown> }[] = [];

  readonly log = this.#logged.log;
  readonly lines = this.#logged.lines;

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    const startMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 29 * 3_600_000;
    const candles = randomCandles(30, { startMs });
    this.exchange = await FakeExchange.open([{ base: 'BTC', quote: 'USDT', candles }]);
    this.env = { DATA_DIR: this.folder, EXCHANGES: `BINANCE=binance@${this.exchange.url}` };
    this.service = await openTestService({ computeNodes: 1, env: this.env, log: this.log });
  }

  /** Resets: the exchange answers, no market worker runs, and the user has connected nothing. */
  async renew(): Promise<void> {
    // Another account each time: that of an earlier test is still connected.
    this.account = this.exchange.account({ apiKey, secret, uid: ++this.#accounts }, { BTC: { free: '1' } });
    this.exchange.fault = () => undefined;
    this.exchange.forget();
    // A worker that the last test killed would count as running for a while.
    const { redis } = this.service.deps;
    const paused = [
      ...(await redis.keys('tidemark:key-pause:*')),
      ...(await redis.keys('tidemark:circuit:*')),
    ];
    await redis.del('tidemark:nodes', ...paused);
    this.token = await this.service.signIn();
  }

  /** Closes it when the test ends. */
  closeLater(opened: { close(): Promise<unknown> }): void {
    this.#open.push(opened);
  }

  async closeOpened(): Promise<void> {
    for (const each of this.#open.splice(0).reverse()) await each.close();
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.exchange.close();
    await rm(this.folder, { recursive: true });
  }

  /** Starts the key trials of a market worker, with its own settings where they are given. */
  async startTrials(own: Partial<TestService['settings']> = {}): Promise<KeyTrials> {
    const { settings, redisUrl } = this.service;
    const trials = await openKeyTrials({ settings: { ...settings, ...own }, redisUrl, log: this.log });
    this.closeLater(trials);
    return trials;
  }

  /** Starts a process of the service. */
  async startRole(name: 'gateway' | 'market', more: Record<string, string>): Promise<RoleChild> {
    const { redisUrl, mongodbUrl } = this.service;
    const env = { ...this.env, REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl, ...more };
    const role = await RoleChild.start(name, env);
    this.closeLater({ close: () => role.kill() });
    return role;
  }

  connect(more = {}): Promise<TestAnswer> {
    return this.service.post(path, { ...body, ...more }, { 'session-token': this.token });
  }

  /** From now on the exchange does not answer requests for the permissions of the key. */
  hang(): void {
    this.exchange.fault = (asked) => (asked.path === permissionsPath ? hangs : undefined);
  }

  async askedForPermissions(): Promise<void> {
    const isAsked = () => this.exchange.asked.some((asked) => asked.path === permissionsPath);
    await until('the exchange is asked', isAsked);
  }

  async sentKeys(): Promise<number> {
    return (await this.service.deps.redis.keys('tidemark:sent-key:*')).length;
  }

  async assertNothingKept(): Promise<void> {
    assert.equal(await this.sentKeys(), 0);
    const { deps, storage } = this.service;
    const user = (await deps.signedIn.find(this.token))!.userId;
    assert.deepEqual(await storage.connections.ofUser(user), []);
    assert.equal(await storage.accounts.find(user, 'BINANCE'), null);
  }
}

/** The rig of a suite, reset before each test. */
export function keyTrialRig(): KeyTrialRig {
  const rig = new KeyTrialRig();
  before(() => rig.start());
  beforeEach(() => rig.renew());
  afterEach(() => rig.closeOpened());
  after(() => rig.close());
  return rig;
}
