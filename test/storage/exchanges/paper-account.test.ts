import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { PaperAccount } from '../../../storage/exchanges/paper-account.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const given = (asset: string, quantity: string, price: string) => ({
  asset,
  quantity: Decimal.parse(quantity),
  price: Decimal.parse(price),
});

describe('PaperAccount', () => {
  const context = temporaryStorage();
  let users = 0;
  const open = (userId = `user${++users}`, storage = context.storage) => ({
    userId,
    account: new PaperAccount(storage.accounts, userId, '10000.50'),
  });
  const text = async (account: PaperAccount) =>
    (await account.balances()).map(({ asset, quantity }) => `${String(quantity)} ${asset}`);
  const stored = async (userId: string) =>
    (await context.storage.accounts.find(userId, 'PAPER'))!.holdings.map((holding) => [
      holding.asset,
      holding.quantity,
      holding.cost,
      holding.basis,
    ]);

  it('begins with money', async () => {
    assert.deepEqual(await text(open().account), ['10000.5 USDT']);
  });

  it('adds holdings at their price, one after the other, and currencies as cash', async () => {
    const { userId, account } = open();
    await account.give([given('ETH', '2', '2000.1'), given('BTC', '0.5', '60000')]);
    await account.give([given('BTC', '0.25', '80000'), given('USDT', '0.01', '1'), given('USDC', '5', '1')]);
    assert.deepEqual(await text(account), ['5 USDC', '10000.51 USDT', '0.75 BTC', '2 ETH']);
    assert.deepEqual(await stored(userId), [
      ['BTC', '0.75', '50000', 'since_connection'],
      ['ETH', '2', '4000.2', 'since_connection'],
    ]);
  });

  it('gives once what is given with the same id again, from whichever process, and what has another id or none each time', async () => {
    const { userId, account } = open();
    const others = [account, open(userId).account, open(userId, context.another()).account];
    await Promise.all(others.map((each) => each.give([given('BTC', '0.5', '10')], 'one')));
    await account.give([given('BTC', '1', '10')], 'two');
    await account.give([given('BTC', '2', '10')]);
    assert.deepEqual(await stored(userId), [['BTC', '3.5', '35', 'since_connection']]);
  });

  it('loses nothing that comes at the same time, from whichever process', async () => {
    const { userId } = open();
    const other = context.another();
    const giving = Array.from({ length: 60 }, (_, n) =>
      open(userId, n % 2 ? other : context.storage).account.give([given('BTC', '0.1', '10')]),
    );
    await Promise.all(giving);
    assert.deepEqual(await stored(userId), [['BTC', '6', '60', 'since_connection']]);
  });
});
