import assert from 'node:assert/strict';
import { understood } from '../../../support/assistant/understood.js';

/** The names of the intents of each message, with their slots. */
const read = (...messages: string[]) =>
  understood(messages).map(({ asked }) =>
    asked.questions.map(({ intent, slots, missing }) => ({
      intent: intent.name,
      ...slots,
      ...(missing === undefined ? {} : { missing }),
    })),
  );

const btc = { asset: 'BTC', assets: ['BTC'] };
const eth = { asset: 'ETH', assets: ['ETH'] };

describe('understanding a message', () => {
  it('finds intent and slots through misspelt words', () => {
    assert.deepEqual(read('whats the trned of bitcion on 4h?'), [
      [{ intent: 'trend-state', ...btc, interval: '4h' }],
    ]);
  });

  it('reads follow-ups from the last question', () => {
    assert.deepEqual(read('trend of btc on 4h', 'and ETH?', 'what about the daily'), [
      [{ intent: 'trend-state', ...btc, interval: '4h' }],
      [{ intent: 'trend-state', ...eth, interval: '4h' }],
      [{ intent: 'trend-state', ...eth, interval: '1d' }],
    ]);
  });

  it('reads two questions of one sentence', () => {
    assert.deepEqual(read('price of sol and trend of eth'), [
      [
        { intent: 'price', asset: 'SOL', assets: ['SOL'] },
        { intent: 'trend-state', ...eth },
      ],
    ]);
  });

  it('asks for what is missing, and reads the answer', () => {
    assert.deepEqual(read('what is the price?', 'ether'), [
      [{ intent: 'price', missing: 'asset' }],
      [{ intent: 'price', ...eth }],
    ]);
  });

  it('says why nothing was understood', () => {
    const unclear = (message: string) => understood([message])[0].asked.unclear;
    assert.deepEqual(['', '  \n ', 'Привет, как дела?', 'iron my shirt'].map(unclear), [
      'empty',
      'empty',
      'other-script',
      'off-topic',
    ]);
  });
});
