import assert from 'node:assert/strict';
import type { kucoin as Kucoin } from 'ccxt';
import type { AppError } from '../../../../../compute/model/errors.js';
import { kucoinEntries } from '../../../../../storage/exchanges/venues/kucoin/kucoin-ledger.js';

describe('the ledger of KuCoin', () => {
  it('is given up where it has no end, so that one account keeps no other waiting', async () => {
    let requests = 0;
    const row = {
      time: 1,
      type: 'TransferIn',
      amount: '1',
      status: 'Completed',
      offset: 7,
      currency: 'USDT',
    };
    const endless = {
      futuresPrivateGetTransactionHistory: async () => {
        requests++;
        return { data: { dataList: [row], hasMore: true } };
      },
      futuresPrivateGetPositions: async () => ({ data: [] }),
    } as unknown as Kucoin;
    await assert.rejects(
      kucoinEntries(endless, 'FUTURES', { sinceMs: 0, nowMs: 1_000, pairs: [] }),
      (error: AppError) => error.code === 'exchange_unavailable' && error.message.includes('50 pages'),
    );
    assert.ok(requests <= 100, `${requests}`);
  });
});
