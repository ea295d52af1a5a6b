import assert from 'node:assert/strict';
import { LiveAccounts, type LiveAccountsOptions } from '../../../../storage/exchanges/live/live-accounts.js';
import { until } from '../../../support/process/until.js';

const connection = { id: 'c', userId: 'u', exchange: 'X', key: { sealed: 's' } };

/** The accounts of an exchange that says what a key may do, and counts how often it is asked. */
function accountsWith(objectionMs: number) {
  const exchange = { mayTrade: false, asked: 0 };
  const client = { setMarketsFromExchange: () => undefined };
  const guard = {
    withKey: async () => client,
    attempt: async (_key: unknown, request: () => Promise<unknown>) => ({ value: await request() }),
  };
  const readPermissions = async () => {
    exchange.asked++;
    return { mayTrade: exchange.mayTrade, mayWithdraw: false };
  };
  const options = {
    name: 'X',
    venue: { id: 'x', trading: { prepareClient: () => undefined }, readPermissions },
    exchanges: { guard: async () => guard, keyOf: async () => ({}) },
    connections: { ofUsers: async () => [connection] },
    markets: async () => ({}),
    objectionMs,
  };
  return { exchange, accounts: new LiveAccounts(options as unknown as LiveAccountsOptions) };
}

describe('LiveAccounts', () => {
  it('asks again what a key may do after it had an objection, and keeps the account once it has none', async () => {
    const { exchange, accounts } = accountsWith(5);
    assert.equal((await accounts.of('u'))!.objection?.message, 'the key may not trade on x');
    exchange.mayTrade = true;
    await until('the account without objection', async () => (await accounts.of('u'))!.objection === null);
    const { asked } = exchange;
    assert.equal((await accounts.of('u'))!.objection, null);
    assert.equal(exchange.asked, asked);
  });

  it('keeps an objection for its time', async () => {
    const { exchange, accounts } = accountsWith(60_000);
    const first = await accounts.of('u');
    assert.equal(await accounts.of('u'), first);
    assert.equal(exchange.asked, 1);
  });
});
