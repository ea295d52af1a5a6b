import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { binance } from 'ccxt';
import { binanceEntries } from '../../../../../storage/exchanges/venues/binance/binance-ledger.js';

describe('the ledger of margin on Binance', () => {
  it('is missing as a whole where its transfers fail before its interest is read', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    const failure = new Error('no answer');
    const client = {
      sapiGetMarginIsolatedAccount: () => Promise.resolve({ assets: [] }),
      sapiGetMarginTransfer: () => Promise.reject(failure),
      sapiGetMarginInterestHistory: () => pause(20, { rows: [] }),
    } as unknown as binance;
    try {
      await assert.rejects(
        binanceEntries(client, 'MARGIN', { sinceMs: 0, nowMs: 1_000, pairs: [] }),
        failure,
      );
      await pause(30);
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('unhandledRejection', note);
      for (const each of others) process.on('unhandledRejection', each as (reason: unknown) => void);
    }
  });
});
