import assert from 'node:assert/strict';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import { accountUser, type AccountUser } from '../../../support/gateway/account-user.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import { openTestService, type TestAnswer, type TestService } from '../../../support/gateway/gateway.js';
import { until } from '../../../support/process/until.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';
import { newSubscription } from '../../../support/signals/new-subscription.js';

const key = { apiKey: 'k'.repeat(64), secret: 's'.repeat(64), passphrase: null };

describe('DELETE /backend/exchanges/:exchange', () => {
  let service: TestService;
  let user: AccountUser;
  let count = 0;

  before(async () => void (service = await openTestService({ computeNodes: 0 })));
  after(() => service.close());
  beforeEach(async () => {
    user = await accountUser(service);
    await connect();
  });

  const connect = () =>
    service.deps.exchanges.connect(user.userId, 'BINANCE', key, async () => ({ mayTrade: true }) as never);
  const remove = async (query = ''): Promise<TestAnswer> => {
    const url = `${service.url}/backend/exchanges/BINANCE${query}`;
    const answer = await fetch(url, { method: 'DELETE', headers: { 'session-token': user.token } });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };
  const subscribe = (exchange: string) =>
    service.storage.subscriptions.add(newSubscription(user.userId, `channel of ${exchange}`, { exchange }));
  const paused = async () =>
    Object.fromEntries(
      (await service.storage.subscriptions.ofUser(user.userId)).map((each) => [
        each.exchange,
        each.pauseReason,
      ]),
    );
  const execute = async (more: Partial<StoredExecution> = {}) => {
    const orders = [{ ...storedOrder, clientOrderId: `order ${++count}` }];
    const known = { userId: user.userId, exchange: 'BINANCE', status: 'entry_pending', orders } as const;
    const made = makeStoredExecution({ ...known, orders, ...more });
    await service.storage.executions.addAll([made]);
    return made;
  };
  const stored = async ({ id }: StoredExecution) => (await service.storage.executions.ofIds([id]))[0];
  const isConnected = async () => (await service.storage.connections.ofUser(user.userId)).length === 1;

  it('pauses the subscriptions on it, and connecting anew leaves them paused, whatever was resumed meanwhile', async () => {
    await subscribe('BINANCE');
    await subscribe('PAPER');
    assert.equal((await remove()).status, 200);
    assert.deepEqual(await paused(), { BINANCE: 'the exchange was disconnected', PAPER: null });
    await user.post('/backend/trading/resume');
    assert.deepEqual(await paused(), { BINANCE: null, PAPER: null });
    await connect();
    const { BINANCE, PAPER } = await paused();
    assert.match(BINANCE!, /^the exchange was connected anew: resume this/);
    assert.equal(PAPER, null);
    const { payload } = await user.get('/backend/exchanges');
    assert.deepEqual(
      payload.exchanges.map(({ exchange, pausedSubscriptions }: Record<string, unknown>) => [
        exchange,
        pausedSubscriptions,
      ]),
      [
        ['PAPER', 0],
        ['BINANCE', 1],
      ],
    );
  });

  it('is refused while signals are executed there, with their names, and changes nothing', async () => {
    await subscribe('BINANCE');
    const { signalId } = await execute();
    await execute({ exchange: 'PAPER' });
    const answer = await remove();
    assertRefused(answer, { status: 409, type: 'INVALID_INPUT_BODY' });
    assert.match(
      answer.payload.message,
      new RegExp(`executed on BINANCE: 1, BTC/USDT \\(${signalId}\\); close them first`),
    );
    assert.match(answer.payload.message, /close=true .* handover=true/);
    assert.deepEqual([await isConnected(), await paused()], [true, { BINANCE: null }]);
  });

  it('hands them over: they end without an order, and a new key does not bring them back', async () => {
    const execution = await execute();
    assert.equal((await remove('?handover=true')).status, 200);
    const { status, endedAt, dueAt, reason, orders, events } = await stored(execution);
    assert.deepEqual([status, endedAt !== null, dueAt], ['closed', true, null]);
    assert.match(reason!, /^handed over to the user/);
    assert.deepEqual([orders, events.map(({ type }) => type)], [execution.orders, ['closed']]);
    assert.equal(await isConnected(), false);
  });

  it('closes them with close=true, and keeps the key until they are closed', async () => {
    const execution = await execute();
    const removed = remove('?close=true');
    await until('the wish', async () => (await stored(execution)).wish === 'close');
    assert.equal(await isConnected(), true);
    const { revision, ...rest } = await stored(execution);
    const ended = { ...rest, revision: revision + 1, status: 'closed', endedAt: new Date() } as const;
    await service.storage.executions.writeAll([ended]);
    assert.equal((await removed).status, 200);
    assert.equal(await isConnected(), false);
  });

  it('takes one of the two', async () => {
    assertRefused(await remove('?close=true&handover=true'), { status: 400, type: 'INVALID_INPUT_CONTENT' });
    assert.equal(await isConnected(), true);
  });
});
