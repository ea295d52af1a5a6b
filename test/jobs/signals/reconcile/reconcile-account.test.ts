import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { PairRules } from '../../../../compute/model/pair-rules.js';
import { noPosition } from '../../../../compute/signals/execution.js';
import { AppError } from '../../../../compute/model/errors.js';
import { pairName } from '../../../../compute/model/market-pair.js';
import {
  reconcileAccount,
  type ReconcileTools,
} from '../../../../jobs/signals/reconcile/reconcile-account.js';
import { ExecutionRun } from '../../../../jobs/signals/run/execution-run.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import { makeExecution, testRules } from '../../../support/signals/make-execution.js';
import type { ReadingOptions, TradingVenue } from '../../../../storage/exchanges/trading-venue.js';
import { clientOrderIdOf } from '../../../../storage/signals/client-order-id.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { newSubscription } from '../../../support/signals/new-subscription.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';

describe('reconcileAccount', () => {
  const context = temporaryStorage();

  it('wakes an execution that a worker has changed while its account was being paused', async () => {
    const { storage } = context;
    await storage.subscriptions.add({ ...newSubscription('ada', 'a channel'), exchange: 'X' });
    const execution = makeStoredExecution({ userId: 'ada', exchange: 'X' });
    await storage.executions.addAll([execution]);
    const venue = {
      id: 'X',
      holdings: () => Promise.reject(new AppError('exchange_refused', 'the key is unknown')),
      positions: () => Promise.resolve([]),
    } as unknown as TradingVenue;
    const { executions } = storage;
    const observe: typeof executions.observe = async (each, ...rest) => {
      await executions.writeAll([{ ...execution, revision: 1, dueAt: null }]);
      return executions.observe(each, ...rest);
    };
    const racing = new Proxy(executions, {
      get(target, name: 'observe' | 'openOf' | 'wake') {
        return name === 'observe' ? observe : target[name].bind(target);
      },
    });
    const tools: ReconcileTools = {
      storage: { ...storage, executions: racing },
      shown: new Set(),
      wake: () => Promise.resolve(),
      log: { info: () => undefined, warn: () => undefined },
    };
    assert.equal(
      await reconcileAccount(tools, venue, { userId: 'ada', urgency: 'poll', isWhole: true }),
      false,
    );
    assert.equal((await storage.subscriptions.ofUser('ada'))[0].isPaused, true);
    assert.equal((await executions.dueSlots(Date.now())).length, 1);
  });

  /** A user with an execution and a subscription, on a venue whose key is refused as `refusal` says. */
  const scene = async (name: string) => {
    const { storage } = context;
    const { id: userId, email } = await storage.users.add({
      ...{ email: `${name}@example.com`, plan: 'free', passwordHash: 'x' },
    });
    await storage.subscriptions.add({ ...newSubscription(userId, `channel of ${name}`), exchange: 'X' });
    await storage.executions.addAll([
      makeStoredExecution({ id: `${name}:1`, subscriptionId: name, userId, exchange: 'X' }),
    ]);
    const refusal: { now: AppError | null } = { now: null };
    const read = async () => {
      if (refusal.now) throw refusal.now;
      return [];
    };
    const venue = { id: 'X', holdings: read, positions: read, openOrders: read } as unknown as TradingVenue;
    const tools: ReconcileTools = {
      ...{ storage, shown: new Set(), wake: () => Promise.resolve() },
      log: { info: () => undefined, warn: () => undefined },
    };
    const compare = () => reconcileAccount(tools, venue, { userId, urgency: 'poll', isWhole: true });
    const pause = async () => {
      const [{ isPaused, pauseReason }] = await storage.subscriptions.ofUser(userId);
      return [isPaused, pauseReason];
    };
    return { email, refusal, compare, pause };
  };
  const refused = (reason: string) =>
    new AppError('exchange_refused', 'as the exchange says', { details: { reason } });
  const said = 'the account cannot be read: as the exchange says';
  const passing = `${said}; it resumes by itself once this has passed`;

  it('ends a pause by itself after three good readings in a row', async () => {
    const { email, refusal, compare, pause } = await scene('bob');
    refusal.now = refused('request');
    assert.equal(await compare(), false);
    assert.deepEqual(await pause(), [true, passing]);
    refusal.now = null;
    await compare();
    await compare();
    refusal.now = new AppError('exchange_unavailable', 'it does not answer');
    await assert.rejects(compare(), { code: 'exchange_unavailable' });
    refusal.now = null;
    for (let n = 1; n <= 3; n++) {
      assert.deepEqual(await pause(), [true, passing], `before reading ${n}`);
      await compare();
    }
    assert.deepEqual(await pause(), [false, null]);
    assert.equal(await mailTo(email), null);
  });

  it('leaves a pause to the owner where the exchange refuses the key, and tells the owner once by mail', async () => {
    const { email, refusal, compare, pause } = await scene('cleo');
    refusal.now = refused('request');
    await compare();
    refusal.now = refused('key');
    await compare();
    assert.equal(await mailTo(email), 'key');
    await compare();
    refusal.now = null;
    for (let n = 0; n < 4; n++) await compare();
    assert.deepEqual(await pause(), [true, said]);
    assert.equal(await mailTo(email), null);
  });

  it('tells once of a position in what the exchange trades no more, and of a halt only on the timeline unless it lasts', async () => {
    const { storage } = context;
    const user = await storage.users.add({ email: 'finn@example.com', plan: 'free', passwordHash: 'x' });
    await storage.subscriptions.add({ ...newSubscription(user.id, 'channel of finn'), exchange: 'X' });
    const position = { ...noPosition, quantity: Decimal.one, entered: Decimal.one };
    const state = encodeExecution({ ...makeExecution(), status: 'open', position });
    const held = makeStoredExecution({ id: 'finn:1', userId: user.id, exchange: 'X', status: 'open', state });
    await storage.executions.addAll([held]);
    const { account, pair } = held;
    let rules: PairRules | null = testRules;
    let isHalted = false;
    const venue = {
      ...{ id: 'X', lateMs: 1, rules: async () => rules, isHalted: async () => isHalted },
      holdings: async () => [{ account, asset: pair.split('/')[0], free: Decimal.one, total: Decimal.one }],
      ...{ positions: async () => [], openOrders: async () => [] },
    } as unknown as TradingVenue;
    const log = { info: () => undefined, warn: () => undefined };
    const tools: ReconcileTools = { storage, shown: new Set(), wake: () => Promise.resolve(), log };
    const compare = () => reconcileAccount(tools, venue, { userId: user.id, urgency: 'poll', isWhole: true });
    const stored = async () => (await storage.executions.ofIds(['finn:1']))[0];
    /** The line that the next comparison adds, with the time at which it is applied; the comparison after it adds none. */
    const nextLine = async (atMs = Date.now()) => {
      assert.equal(await compare(), false);
      const run = new ExecutionRun(await stored(), 1);
      run.applyObserved(atMs);
      await storage.executions.writeAll([run.toStore(atMs)]);
      const { type, cause } = (await stored()).events.at(-1)!;
      return `${type}: ${cause}`;
    };
    assert.equal(await compare(), true);
    rules = null;
    assert.match(await nextLine(), /^not_traded: X does not trade BTC\/USDT on SPOT now/);
    assert.equal(await compare(), true);
    isHalted = true;
    assert.equal(await compare(), true);
    rules = testRules;
    assert.equal(await nextLine(), 'traded_again: X trades BTC/USDT on SPOT again');
    rules = null;
    assert.match(await nextLine(), /^market_halted: X has halted trading of BTC\/USDT on SPOT/);
    assert.equal(await compare(), true);
    rules = testRules;
    assert.match(await nextLine(), /^traded_again/);
    rules = null;
    assert.match(await nextLine(Date.now() - 1_800_000), /^market_halted/);
    assert.match(await nextLine(), /^not_traded/);
    assert.equal(await compare(), true);
  });

  it('keeps to the accounts and pairs of its executions, and to what the whole of it has shown besides', async () => {
    const { storage } = context;
    await storage.subscriptions.add({ ...newSubscription('eve', 'channel of eve'), exchange: 'X' });
    await storage.executions.addAll([makeStoredExecution({ id: 'eve:1', userId: 'eve', exchange: 'X' })]);
    const place = { account: 'SPOT', pair: { base: 'SOL', quote: 'USDT' } } as const;
    const state = { exchangeOrderId: '1', status: 'open', filled: Decimal.zero, fills: [] } as const;
    let standing = ['by hand'];
    const readings: ReadingOptions[] = [];
    const venue = {
      id: 'X',
      holdings: () => Promise.resolve([]),
      positions: () => Promise.resolve([]),
      openOrders(_: string, reading: ReadingOptions) {
        readings.push(reading);
        const orders = standing.map((clientOrderId) => ({ ...place, ...state, clientOrderId }));
        return Promise.resolve(reading.only ? [] : orders);
      },
    } as unknown as TradingVenue;
    const log = { info: () => undefined, warn: () => undefined };
    const tools: ReconcileTools = { storage, shown: new Set(), wake: () => Promise.resolve(), log };
    const compare = (isWhole: boolean) =>
      reconcileAccount(tools, venue, { userId: 'eve', urgency: 'poll', isWhole });
    const shown = async () =>
      (await storage.foreignOrders.list({ userId: 'eve', limit: 9 })).flatMap(({ orders }) =>
        orders.map(({ clientOrderId }) => clientOrderId),
      );
    const isPaused = async () => (await storage.subscriptions.ofUser('eve'))[0].isPaused;
    await compare(true);
    await compare(false);
    assert.deepEqual(await shown(), ['by hand']);
    const [{ pair }] = await storage.executions.openOf('eve', 'X');
    assert.deepEqual(
      readings.map(({ only }) => only?.map((each) => `${each.account} ${pairName(each.pair)}`)),
      [undefined, [`SPOT ${pair}`]],
    );
    standing = [clientOrderIdOf('lost', 'entry-1', 1)];
    await compare(true);
    for (let n = 0; n < 4; n++) await compare(false);
    assert.deepEqual([await isPaused(), await shown()], [true, standing]);
    standing = [];
    for (let n = 0; n < 3; n++) await compare(false);
    assert.deepEqual([await isPaused(), await shown()], [false, []]);
  });

  it('pauses nothing where the exchange does not answer', async () => {
    const { refusal, compare, pause } = await scene('dan');
    refusal.now = new AppError('exchange_unavailable', 'it does not answer');
    for (let n = 0; n < 5; n++) await assert.rejects(compare(), { code: 'exchange_unavailable' });
    assert.deepEqual(await pause(), [false, null]);
  });

  /** The kind of the mail that waits for an address, which it takes; null without one. */
  const mailTo = async (email: string) => {
    const mail = await context.storage.mails.takeDue(Date.now(), 60_000);
    if (!mail) return null;
    assert.equal(mail.email, email);
    await context.storage.mails.drop(mail);
    return mail.kind;
  };
});
