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

  it('merges sentences about one thing, and drops greetings', () => {
    assert.deepEqual(read('hello! your doge numbers look old. when did the last candle come in?'), [
      [{ intent: 'data-status', asset: 'DOGE', assets: ['DOGE'] }],
    ]);
  });

  it('takes what others hold for no question about the own account, and a move that is told for none', () => {
    const told = read('how much BTC do they have', 'SUI broke 1.80. what is its rsi');
    assert.ok(told[0].every(({ intent }) => intent !== 'balances'));
    assert.deepEqual(told[1], [
      { intent: 'indicator-values', asset: 'SUI', assets: ['SUI'], indicator: 'rsi' },
    ]);
  });

  it('knows the assets of the last questions as "their"', () => {
    const [, , [{ intent, assets }]] = read('price of btc', 'price of eth', 'what about their correlation');
    assert.deepEqual([intent, assets], ['correlation-matrix', ['BTC', 'ETH']]);
  });

  it('reads corrections, and numbers in the sense of the last question', () => {
    const told = read('coins with rsi under 30', 'make it 25', 'no, i meant 20').map(
      ([{ conditions }]) => conditions,
    );
    assert.deepEqual(
      told,
      ['30', '25', '20'].map((right) => [{ left: 'rsi_14', op: '<', right }]),
    );
    const prices = read('chance btc hits 70k before 60k', 'and 75k?', 'with the stop at 58k').map(
      ([{ target, stop }]) => [target, stop],
    );
    assert.deepEqual(prices, [
      [70_000, 60_000],
      [75_000, 60_000],
      [75_000, 58_000],
    ]);
  });

  it('reads a comparison at the end of a message', () => {
    const [[{ conditions }]] = read('coins with close above sma 50');
    assert.deepEqual(conditions, [{ left: 'close', op: '>', right: 'sma_50' }]);
  });

  it('answers once what two sentences ask', () => {
    assert.deepEqual(read('is my portfolio too concentrated? whats my var'), [
      [{ intent: 'portfolio-risk' }],
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

  it('replaces one slot of the last question', () => {
    const told = read(
      'backtest the rsi reversal on sol 4h for half a year',
      'what about supertrend instead?',
      'without fees',
      'for a year',
    ).map(([{ intent, strategy, period, feePercent, interval }]) => [
      intent,
      strategy,
      period,
      feePercent,
      interval,
    ]);
    assert.deepEqual(told, [
      ['run-backtest', 'rsi_reversal', '6M', undefined, '4h'],
      ['run-backtest', 'supertrend', '6M', undefined, '4h'],
      ['run-backtest', 'supertrend', '6M', 0, '4h'],
      ['run-backtest', 'supertrend', '1y', 0, '4h'],
    ]);
  });

  it('keeps a term out of the question behind it', () => {
    assert.deepEqual(
      read('what does profit factor mean? and backtest buy and hold on btc please').flatMap((each) =>
        each.map(({ intent, term, strategy }) => [intent, term, strategy]),
      ),
      [
        ['definition', 'profit factor', undefined],
        ['run-backtest', undefined, 'buy_and_hold'],
      ],
    );
  });

  it('asks for the asset where the name of a strategy is no asset', () => {
    const asks = ['backtest the macd crossover for me', 'backtest turtle trading'];
    assert.deepEqual(
      asks.map((ask) => read(ask)[0][0].missing),
      ['asset', 'asset'],
    );
  });

  it('takes a pasted signal as it is, also without quotes', () => {
    const signal = { coin: 'BTC', type: 'long', entry_price_max: '60000' };
    const messages = [
      `would this go through? ${JSON.stringify(signal)}`,
      'is this ok: {coin: BTC, type: long, entry_price_max: 60000}',
      `${JSON.stringify(signal, null, 2)}\nvalid?`,
    ];
    assert.deepEqual(
      messages.map((message) => read(message)[0]),
      messages.map(() => [{ intent: 'validate-signal', signal }]),
    );
  });

  it('takes no part of the prototype from a pasted signal', () => {
    read('check {"coin":"BTC","type":"long","__proto__":{"polluted":true}}');
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
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
