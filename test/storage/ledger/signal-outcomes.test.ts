import assert from 'node:assert/strict';
import type { SignalOutcome } from '../../../storage/ledger/signal-outcomes.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const startMs = Date.UTC(2026, 0, 1);
const channelId = 'busy';

const outcome = (n: number): SignalOutcome => ({
  ...{
    signalId: String(n).padStart(6, '0'),
    isPaper: false,
    channelId,
    followers: 1,
    returnPercent: 1,
    r: null,
  },
  ...{ entrySlippagePercent: null, deliverySlippagePercent: null, isOpen: false, costPercent: null },
  ...{ closedAt: new Date(startMs + n * 1_000) },
});

describe('SignalOutcomeRepository', () => {
  const context = temporaryStorage();

  it('lists the last outcomes of a channel where there are more than its limit, in the order in which they closed', async () => {
    const { signalOutcomes } = context.storage;
    await signalOutcomes.put(Array.from({ length: 5 }, (_, n) => outcome(n)));
    const found = await signalOutcomes.ofChannel(channelId, new Date(startMs), 3);
    assert.deepEqual(found, [outcome(2), outcome(3), outcome(4)]);
  });
});
