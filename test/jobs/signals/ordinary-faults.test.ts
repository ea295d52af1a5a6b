import assert from 'node:assert/strict';
import type { FaultRule, RequestFault } from '../../support/fake-exchange/fault-script.js';
import { until } from '../../support/process/until.js';
import { hasBought, type LiveScene, temporaryScene, waitsForPrice } from '../../support/venues/live-scene.js';

const answered = (status: number, code: number, message = 'as told'): RequestFault => ({
  ...{ kind: 'status', isDone: false, status, code, message },
});

/** Answers that say nothing about the account: those of Binance by its documentation, and those of what stands before it. */
const transient: Record<string, RequestFault> = {
  'an unknown error (-1000)': answered(503, -1000),
  'a lost connection (-1001)': answered(500, -1001),
  'an unexpected response (-1006)': answered(503, -1006),
  'a timeout of its own (-1007)': answered(408, -1007),
  'an overload (-1008)': answered(503, -1008),
  'maintenance (-1016)': answered(503, -1016, 'This service is no longer available.'),
  'a refused key with a status of its own failure': answered(502, -2015),
  'a page': { kind: 'unreadable' },
  'an object without fields': { kind: 'empty' },
  'broken JSON': {
    ...{ kind: 'status', isDone: false, status: 200 },
    body: `{"balances":[{"asset":"USDT","free":"1"${' '.repeat(300)}}`,
  },
  'an error of a gateway with a status of success': {
    ...{ kind: 'status', isDone: false, status: 200 },
    body: { error: 'upstream request timeout', trace: 'x'.repeat(300) },
  },
  nothing: { kind: 'reset', isDone: false },
};

describe('ordinary faults of an exchange', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  const context = temporaryScene(async (opened) => {
    scene = opened;
    // Accounts whose streams are open are compared once an hour: none are here.
    await scene.startEngine({ reconcileMs: 300, followMs: 3_600_000 });
  });
  beforeEach(async () => {
    await goWrong([]);
    await scene.live.price('61000');
  });

  const goWrong = (rules: FaultRule[]) => scene.exchange.faults({ seed: 1, rules });
  const pauseOf = async (userId: string) => {
    const [{ isPaused, pauseReason }] = await context.storage.subscriptions.ofUser(userId);
    return [isPaused, pauseReason];
  };

  for (const [what, fault] of Object.entries(transient))
    it(`neither skip a signal nor pause its user: ${what}`, async () => {
      const wrong = () => goWrong([{ on: 'account', path: '/api/v3/account', times: 3, fault }]);
      const { userId, isSo } = await scene.follow({ before: wrong });
      await hasBought(isSo);
      await wrong();
      const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
      assert.equal(closed.status, 'closed');
      assert.deepEqual(await pauseOf(userId), [false, null]);
    });

  it('do not take a position for sold that a faulty list lacks', async () => {
    const { isSo } = await scene.follow({
      subscription: { accounts: ['FUTURES'] },
      terms: { account: 'FUTURES' },
    });
    await hasBought(isSo);
    const path = '/fapi/v3/positionRisk';
    for (const what of ['broken JSON', 'an error of a gateway with a status of success', 'a page']) {
      const asked = async () => (await scene.exchange.requests()).filter((each) => each.path === path).length;
      const before = await asked();
      await goWrong([{ on: 'any', path, times: 3, fault: transient[what] }]);
      await until('it is asked again and again', async () => (await asked()) > before + 3, 90_000);
    }
    const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
    assert.deepEqual(
      [closed.status, closed.events.some(({ type }) => type === 'sold_elsewhere')],
      ['closed', false],
    );
  });

  it('pause an account that cannot be read for another reason until it was read three times in a row', async () => {
    const { userId, signal, isSo } = await scene.follow();
    await hasBought(isSo);
    await goWrong([{ on: 'open orders', times: null, fault: answered(400, -1102, 'Mandatory parameter') }]);
    await isSo('it is told', ({ events }) => events.some(({ type }) => type === 'account_paused'));
    assert.deepEqual((await pauseOf(userId))[0], true);
    const later = await scene.rig.signal(signal.partnerId, { stopLoss: '50000', targets: ['90000'] });
    const laterOne = async () => (await scene.rig.executionsOf(later.id)).at(0);
    await until('the next signal waits', async () => (await laterOne())?.events.at(-1)?.type === 'postponed');
    assert.match((await laterOne())!.events.at(-1)!.cause, /^the account is paused: .*; it is asked again$/);
    await goWrong([]);
    const resumed = await isSo('it goes on', ({ events }) =>
      events.some(({ type }) => type === 'account_resumed'),
    );
    assert.deepEqual(await pauseOf(userId), [false, null]);
    assert.deepEqual(
      resumed.events
        .filter(({ type }) => type.startsWith('account_'))
        .map(({ type, cause }) => [type, cause.replace(/: binance .*;/, ': ...;')]),
      [
        [
          'account_paused',
          'the account was paused: the account cannot be read: ...; it resumes by itself once this has passed',
        ],
        ['account_resumed', 'the account was read as expected three times in a row: it is no longer paused'],
      ],
    );
    await until('it is followed', async () => (await laterOne())!.state !== null);
  });

  it('pause an account until its owner acts where the exchange refuses the key', async () => {
    const { userId, isSo } = await scene.follow();
    await hasBought(isSo);
    await goWrong([
      { on: 'account', times: null, fault: answered(401, -2015, 'Invalid API-key, IP, or permissions.') },
    ]);
    await isSo('it is told', ({ events }) => events.some(({ type }) => type === 'account_paused'));
    await goWrong([]);
    const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
    assert.equal(closed.status, 'closed');
    assert.equal((await pauseOf(userId))[0], true);
  });

  for (const account of ['SPOT', 'FUTURES'] as const)
    it(`pause an account on ${account} until its owner acts where its key reads, and trades no more; the stop stands`, async () => {
      const subscription = { accounts: [account] };
      const { userId, signal, isSo } = await scene.follow({ subscription, terms: { account } });
      await hasBought(isSo);
      const standing = async () => {
        const orders = await scene.live.ledgerOrders(userId, account);
        return orders.filter(({ status, stopPrice }) => status === 'NEW' && stopPrice);
      };
      const before = await standing();
      const fault = answered(401, -2015, 'Invalid API-key, IP, or permissions for action.');
      await goWrong([
        { on: 'create', times: null, fault },
        { on: 'cancel', times: null, fault },
      ]);
      await scene.rig.command(signal, { type: 'update_prices', stopLoss: '56000' });
      const { events } = await isSo('it is told', ({ events: all }) =>
        all.some(({ type }) => type === 'account_paused'),
      );
      const lines = events.filter(({ type }) => type === 'account_paused');
      assert.equal(lines.length, 1);
      assert.match(lines[0].cause, /^the account was paused: its key may not trade: .*-2015/);
      const paused = await pauseOf(userId);
      assert.equal(paused[0], true);
      const [{ goodReads }] = await context.storage.subscriptions.ofUser(userId);
      assert.equal(goodReads, null);
      assert.deepEqual(await standing(), before);
      await goWrong([]);
      const closed = await isSo('it is sold at its new stop', ({ endedAt }) => endedAt !== null, '55500');
      assert.deepEqual([closed.status, await pauseOf(userId)], ['closed', paused]);
    });

  it('pause an account whose key the exchange refuses also where nothing of it is open', async () => {
    const refused = answered(401, -2015, 'Invalid API-key, IP, or permissions.');
    const before = () => goWrong([{ on: 'account', times: null, fault: refused }]);
    const { userId, isSo } = await scene.follow({ before });
    const { status } = await isSo('it is skipped', ({ endedAt }) => endedAt !== null);
    assert.equal(status, 'skipped');
    await until('it is paused', async () => (await pauseOf(userId))[0] === true);
    await goWrong([]);
    assert.match(String((await pauseOf(userId))[1]), /^the account cannot be read/);
  });
});

describe('an exchange whose clock is an hour ahead', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  temporaryScene(async (opened) => {
    scene = opened;
    await scene.exchange.clock(3_600_000);
    await scene.startEngine();
  });

  it('delays neither an entry nor a watched stop', async () => {
    await scene.live.price('61000');
    const { isSo } = await scene.follow({ subscription: { stopOnExchange: false } });
    await isSo('it waits for its price', waitsForPrice);
    await isSo('it has bought', ({ status }) => status === 'open', '60000');
    await isSo('the watched stop has sold', ({ endedAt }) => endedAt !== null, '54000');
  });
});
