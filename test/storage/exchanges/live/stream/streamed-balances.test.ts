import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Decimal } from '../../../../../compute/model/decimal.js';
import { StreamedBalances } from '../../../../../storage/exchanges/live/stream/streamed-balances.js';
import type { VenueHolding } from '../../../../../storage/exchanges/trading-venue.js';
import type { AccountNews } from '../../../../../storage/exchanges/venue-user-stream.js';

const user = 'ada';
const row = (asset: string, free: string): VenueHolding => {
  return { account: 'SPOT', asset, free: Decimal.read(free), total: Decimal.read(free) };
};
const orders: AccountNews = { orders: [{ clientOrderId: 'one', tradeId: null, isEnded: false }] };
const told = (at: number, free: string, locked = '0', asset = 'USDT'): AccountNews => {
  const amounts = { asset, free: Decimal.read(free), locked: Decimal.read(locked) };
  return { moved: 'by orders', balances: { at, told: [amounts] } };
};

describe('streamed balances', () => {
  let balances: StreamedBalances;
  const hear = (...all: AccountNews[]) => {
    for (const news of all) balances.hear(user, news, ['SPOT']);
  };
  /** A reading that was sent after all that was told until now. */
  const read = async (...rows: VenueHolding[]) => {
    await pause(2);
    balances.noteRead(user, { at: Date.now(), rows }, performance.now());
  };
  const known = () =>
    balances.of(user)?.rows.map(({ asset, free, total }) => `${asset} ${String(free)} of ${String(total)}`) ??
    'not known';
  beforeEach(() => {
    balances = new StreamedBalances();
    balances.open(user);
  });

  it('are known once they were read after the streams had opened, and kept as they are told', async () => {
    assert.equal(known(), 'not known');
    hear(told(1, '5'));
    assert.equal(known(), 'not known');
    await read(row('BTC', '1'), row('USDT', '100'));
    assert.deepEqual(known(), ['BTC 1 of 1', 'USDT 100 of 100']);
    hear(told(2, '60', '40'), told(2, '0', '0', 'BTC'), told(3, '7', '0', 'ETH'));
    assert.deepEqual(known(), ['USDT 60 of 100', 'ETH 7 of 7']);
  });

  it('are not known from an order until balances follow', async () => {
    await read(row('USDT', '100'));
    balances.noteOrder(user);
    assert.equal(known(), 'not known');
    hear(orders);
    assert.equal(known(), 'not known');
    hear(told(2, '60', '40'));
    assert.deepEqual(known(), ['USDT 60 of 100']);
    hear(orders);
    assert.equal(known(), 'not known');
    await read(row('USDT', '55'));
    assert.deepEqual(known(), ['USDT 55 of 55']);
  });

  it('are read again after a move without amounts, and after balances from before others', async () => {
    await read(row('USDT', '100'));
    hear({ moved: 'otherwise' }, told(1, '90'));
    assert.equal(known(), 'not known');
    await read(row('USDT', '90'));
    hear(told(5, '50'), told(5, '50'));
    assert.deepEqual(known(), ['USDT 50 of 50']);
    hear(told(4, '70'));
    assert.equal(known(), 'not known');
    hear(told(6, '40'));
    assert.equal(known(), 'not known');
  });

  it('are not taken from a reading during which something was told, nor from other accounts', async () => {
    const sentMs = performance.now();
    await pause(2);
    hear(told(1, '90'));
    balances.noteRead(user, { at: Date.now(), rows: [row('USDT', '100')] }, sentMs);
    assert.equal(known(), 'not known');
    await read(row('USDT', '90'));
    balances.hear(user, told(2, '1'), ['MARGIN']);
    assert.deepEqual(known(), ['USDT 90 of 90']);
  });

  it('end with the streams, and are read again when they open again', async () => {
    await read(row('USDT', '100'));
    balances.close(user);
    hear(told(1, '90'));
    assert.equal(known(), 'not known');
    balances.open(user);
    assert.equal(known(), 'not known');
    await read(row('USDT', '90'));
    assert.deepEqual(known(), ['USDT 90 of 90']);
  });

  it('name whose are to be read, once nothing changes, and not again and again', async () => {
    assert.deepEqual(balances.unread(), []);
    balances.open('bob');
    await read(row('USDT', '100'));
    await pause(2_100);
    assert.deepEqual([balances.unread(), balances.unread()], [['bob'], []]);
    balances.open(user);
    assert.deepEqual(balances.unread(), []);
  });
});
