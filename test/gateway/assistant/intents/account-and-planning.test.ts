import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Prose } from '../../../../gateway/assistant/analyst/intent.js';
import { intentNamed } from '../../../../gateway/assistant/analyst/intents.js';
import type { Slots } from '../../../../gateway/assistant/analyst/slots.js';
import { listingNamed } from '../../../../gateway/mcp/catalogue.js';
import { toolNamed } from '../../../../gateway/mcp/tools.js';
import type { Caller } from '../../../../gateway/context.js';
import { openAccountAnswers, type AccountAnswers } from '../../../support/assistant/account-answers.js';
import { oddPayloads } from '../../../support/assistant/odd-payloads.js';
import { assertReads, textOf } from '../../../support/assistant/prose-rules.js';

/** Questions by intent, as the slots that were read from them. */
const asked: readonly [intent: string, slots: Slots][] = [
  ['assess-risk', { asset: 'BTC' }],
  ['assess-risk', { asset: 'SOL', side: 'short' }],
  ['tail-risk', { asset: 'ETH' }],
  ['tail-risk', { asset: 'BTC', assets: ['BTC', 'PEPE'], weights: { BTC: 60, PEPE: 40 } }],
  ['tail-risk', { asset: 'BTC', assets: ['BTC', 'SOL'] }],
  ['position-size', { amount: 10_000, percent: 1, entry: 60_000, stop: 58_000, asset: 'BTC' }],
  ['position-size', { amount: 1_000, percent: 3, entry: 0.6, stop: 0.65, leverage: 5 }],
  ['position-size', { amount: 0.0001, percent: 0.01, entry: 60_000, stop: 1_000 }],
  ['trade-levels', { asset: 'BTC', side: 'long' }],
  ['trade-levels', { asset: 'ETH', side: 'short', interval: '4h', count: 5, riskStyle: 'tight' }],
  ['target-probability', { asset: 'SOL', target: 600, stop: 480 }],
  ['target-probability', { asset: 'BTC', side: 'short', target: 1, stop: 100_000_000, interval: '1h' }],
  ['dca-ladder', { prices: [60_000, 57_000, 54_000], amount: 1_000, asset: 'BTC' }],
  ['dca-ladder', { prices: [3_000, 2_800], amount: 500, stop: 2_500, feePercent: 0.2 }],
  ['dca-ladder', { prices: [100], percent: 5, count: 3, amount: 50 }],
  [
    'validate-signal',
    { asset: 'BTC', exchange: 'BINANCE', percent: 5, entry: 60_000, target: 66_000, stop: 57_000 },
  ],
  ['validate-signal', { asset: 'BTC', exchange: 'NOWHERE', percent: 5, entry: 60_000, target: 50_000 }],
  [
    'validate-signal',
    {
      asset: 'ETH',
      exchange: 'BYBIT',
      percent: 3,
      side: 'short',
      entry: 3_000,
      target: 2_700,
      stop: 3_600,
      leverage: 10,
    },
  ],
  ['list-strategies', {}],
  ['list-strategies', { strategy: 'rsi_reversal' }],
  ['list-strategies', { strategy: 'buy_and_hold' }],
  ['strategy-leaderboard', {}],
  ['recurring-buy', { asset: 'BTC', amount: 100, every: 'week', period: '1y' }],
  ['recurring-buy', { asset: 'SOL', amount: 50, every: 'month', period: '6M', state: 'accumulate' }],
  ['channel-performance', {}],
  ['run-backtest', { asset: 'BTC', strategy: 'ema_cross', period: '6M', params: { fast: 10, slow: 30 } }],
  ['run-backtest', { asset: 'ETH', interval: '4h', feePercent: 0 }],
  ['run-backtest', { asset: 'SOL', strategy: 'buy_and_hold' }],
  ['compare-backtests', { asset: 'BTC', strategies: ['ema_cross', 'macd_cross'] }],
  [
    'compare-backtests',
    {
      asset: 'BTC',
      assets: ['BTC', 'ETH', 'SOL', 'XRP'],
      strategies: ['ema_cross', 'supertrend'],
      interval: '4h',
    },
  ],
  ['walk-forward', { asset: 'BTC', strategy: 'ema_cross' }],
  ['portfolio-status', {}],
  ['portfolio-conflicts', {}],
  ['position-details', { asset: 'BTC' }],
  ['position-details', { asset: 'ADA' }],
  ['balances', {}],
  ['balances', { asset: 'USDT' }],
  ['profits', {}],
  ['profits', { groupBy: 'day', isAllTime: true }],
  ['profits', { isToday: true }],
  ['equity', {}],
  ['trades', {}],
  ['trades', { asset: 'ETH' }],
  ['orders', {}],
  ['orders', { status: 'rejected' }],
  ['signals', {}],
  ['signals', { status: 'closed' }],
  ['subscriptions', {}],
  ['exchange-connections', {}],
  ['exchange-connections', { exchange: 'BINANCE' }],
  ['portfolio-risk', {}],
  [
    'portfolio-risk',
    {
      changes: [
        { asset: 'BTC', quantity: -0.3 },
        { asset: 'ETH', quantity: 2 },
      ],
    },
  ],
  ['account-access', {}],
  ['past-conversations', {}],
  ['backtest-runs', {}],
];

/** Intents that read a stored backtest, or an id: they are asked below with the ids that the test has. */
const byId: readonly [intent: string, slots: (ids: Ids) => Slots][] = [
  ['monte-carlo', ({ backtestId }) => ({ backtestId, count: 500 })],
  ['backtest-summary', ({ backtestId }) => ({ backtestId })],
  ['backtest-trades', ({ backtestId }) => ({ backtestId })],
  ['backtest-equity', ({ backtestId }) => ({ backtestId })],
  ['signal-details', ({ signalId }) => ({ id: signalId })],
  ['order-timeline', ({ orderId }) => ({ id: orderId })],
];

interface Ids {
  backtestId: string;
  signalId: string;
  orderId: string;
}

/** Texts of answers on the demo market, which is the same on every machine. */
const texts: readonly [intent: string, slots: Slots, text: string][] = [
  [
    'assess-risk',
    { asset: 'BTC' },
    'A long in BTC is of moderate risk now: its risk score is 5. The moving averages in the wrong order, no clear trend, the RSI against its average and the weekend count against it. The ADX is 14.9, which means a weak trend down. The label counts hourly readings against the trade; it does not know your stop or size. Ask for the short to see the other side.',
  ],
  [
    'tail-risk',
    { asset: 'BTC', assets: ['BTC', 'PEPE'], weights: { BTC: 60, PEPE: 40 } },
    'On one day in twenty a basket of 60.0 % BTC and 40.0 % PEPE lost 5.2 % or more, with too few such days for a range; such days lost 7.4 % on average. One day in a hundred loses 8.2 % or more. The worst day was 20 November 2023: -12.8 %. The deepest fall, 55.8 % from the peak of 22 August 2023, is not made up for after 130 days. This rests on 239 days; the common history is 239 days, shorter than 365. Past losses are no limit for the next one.',
  ],
  [
    'position-size',
    { amount: 10_000, percent: 1, entry: 60_000, stop: 58_000, asset: 'BTC' },
    'The long may be 0.04721435 BTC large, worth 2,832.9 USDT at an entry of 60,000. At the stop of 58,000 it loses 100 USDT, 1.0 % of the account of 10,000; fees of 2.8329 and 2.7384 are part of that. A gap in the price can cost more than the stop says.',
  ],
  [
    'trade-levels',
    { asset: 'BTC', side: 'long' },
    'A long in BTC could enter between 98,509 and 99,884 USDT, with the stop at 92,091 and targets at 107,591, 113,803 and 121,919. The stop is 7.4 % from the entry, 2 times the usual range of a candle. The first target pays 1.11 R; to break even it would have to be reached in 47.3 % of such trades. 3 levels lie between the entry and the first target; no confirmed swing is in reach: the stop rests on ATR alone. These are levels of the chart, not advice, and no order is placed. Ask how often the first target came before the stop.',
  ],
  [
    'target-probability',
    { asset: 'SOL', target: 600, stop: 480 },
    'From moves of the same size in the past, SOL reached 600 before 480 in 58.0 % of 345 cases on 1d; the confidence interval goes from 38.5 % to 75.2 %. From an entry of 530.48 the target is 1.38 times as far as the stop, so reaching it in 42.1 % of cases would break even. In volatility like now it was 41.2 % of 68. The mean result was 0.378 R; 0 % touched neither in time. What happened before need not happen again, and costs are not included.',
  ],
  [
    'dca-ladder',
    { prices: [3_000, 2_800], amount: 500, stop: 2_500, feePercent: 0.2 },
    'After all buys you hold 0.34524 units at an average of 2,896.6 USDT, and break even at 2,908.2. That costs 1,002 USDT in 2 orders, fees included. From the lowest buy the price has to rise 3.9 %. At the stop you lose 140.63 USDT, 14.0 % of the cost. Each buy raises what is at risk when the price keeps falling.',
  ],
  [
    'list-strategies',
    { strategy: 'rsi_reversal' },
    'RSI reversal: Buy when the RSI falls below oversold, sell when it rises above overbought. Parameters: period, 14 by default (Period of the RSI in candles; 2 to 200); oversold, 30 by default (RSI below which it buys; 1 to 50); overbought, 70 by default (RSI above which it sells; 50 to 99). It needs 14 candles before its first decision. Backtests count a fee of 0.10 % and slippage of 0.05 % on each side unless you say otherwise.',
  ],
  [
    'recurring-buy',
    { asset: 'BTC', amount: 100, every: 'week', period: '1y' },
    '53 buys of BTC for 5,300 USDT in all would be worth 7,636.3 USDT now: +44.1 %. The average cost is 69,006 USDT, and at the worst moment the plan was 31.4 % below what had been paid in. All of it at once would have returned +102 %, so the regular buys did worse. One stretch of history says little about the next.',
  ],
  [
    'run-backtest',
    { asset: 'BTC', strategy: 'ema_cross', period: '6M', params: { fast: 10, slow: 30 } },
    'EMA cross, fast 10 and slow 30, on BTC (1d, six months) returned +25.7 % after costs; buying and holding returned +13.1 %. It closed 3 trades, of which 33.3 % gained; gains were 1.94 times the losses. The deepest fall was 30.6 %, the Sharpe ratio 1.65. So few trades prove little either way. Fees of 0.10 % and slippage of 0.05 % a side are counted; history is no forecast. Ask whether that was luck, or for a walk-forward.',
  ],
  [
    'compare-backtests',
    { asset: 'BTC', strategies: ['ema_cross', 'macd_cross'] },
    'By Sharpe ratio EMA cross on BTC comes first on 1d: +143 %, Sharpe ratio 3.21, 3 trades. Then MACD cross on BTC (+80.7 %, Sharpe ratio 1.88, 14 trades). None of it is significant after the correction for the number of tests; the luckiest of them would reach a Sharpe ratio of 0.521 without any skill.',
  ],
  [
    'walk-forward',
    { asset: 'BTC', strategy: 'ema_cross' },
    'EMA cross on BTC (1d) does not hold up well out of sample: the verdict is weak. All 5 tests together returned +102 %, buying and holding +60.7 %; 40.0 % of the tests gained. The Sharpe ratio of the tests is 4.11, with a confidence interval from 1.47 to 6.74. The Sharpe ratio of the tests was 0.494 times that of the trainings. 4 trades were closed in the tests, which is few; the next months may differ from all of them.',
  ],
  [
    'signals',
    {},
    'Your newest signal is a long in BTC on PAPER of 1 January 2026 (open). It enters at 110, with targets at 120 and 130 and a stop at 90; no target is reached.',
  ],
  [
    'exchange-connections',
    {},
    'Connected: PAPER, and the last read had no error. PAPER is the simulated account of this service. No key may withdraw, and keys are never shown.',
  ],
  [
    'balances',
    {},
    'Your accounts are worth 65,600 USDT: 0.5 BTC on PAPER (80.8 % of the total), 10,000 USDT on PAPER (15.2 % of the total), 20 SOL on PAPER (3.7 % of the total) and 1,000 DOGE on PAPER (0.30 % of the total). Nothing of it is locked in orders. Gains of open positions are not part of it.',
  ],
  [
    'orders',
    {},
    'There are three orders: buy 1 BTC at 100 on PAPER (rejected), sell 1 BTC at 100 on PAPER (filled) and buy 1 BTC at 100 on PAPER (filled). The BTC order was not accepted: the balance is too small. Two of them are filled.',
  ],
  [
    'subscriptions',
    {},
    'You follow one channel, with orders placed for you: "Partner 1" on PAPER (up to 5.0 % a signal, at most 10 signals at once). "Partner 1" brought you a profit of 38.25 USDT in 3 trades. Signals place orders only within these limits.',
  ],
];

describe('intents about accounts, risk and backtests', function () {
  this.timeout(60_000);
  let answers: AccountAnswers;
  let ids: Ids;
  before(async () => {
    answers = await openAccountAnswers();
    const args = { asset: 'BTC', strategy: 'ema_cross', interval: '4h' };
    const payload = await answers.call('run_backtest', args, answers.rich);
    ids = { ...answers, ...intentNamed('run-backtest')!.remembers!(payload) } as Ids;
  });
  after(() => answers.close());

  /** What the tool of an intent answers, and how that reads. */
  async function ask(
    name: string,
    slots: Slots,
    user: Caller['user'],
  ): Promise<{ payload: object; prose: Prose }> {
    const intent = intentNamed(name)!;
    const payload = await answers.call(intent.tool!, intent.args(slots), user);
    return { payload, prose: intent.answer(payload, slots) };
  }

  it('are recognised by ten phrases or more, and ask with a question for what they need', () => {
    for (const name of new Set([...asked, ...byId].map(([each]) => each))) {
      const { phrases, needs, title } = intentNamed(name)!;
      assert.ok(new Set(phrases).size >= 10, name);
      for (const question of Object.values(needs)) assert.match(question, /[?.]$/, name);
      assert.match(title, /^[a-z][^.]+$/, name);
    }
  });

  it('send arguments that their tools take, and nothing that the question leaves open', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const [name, slots] of asked) {
      const { tool, args } = intentNamed(name)!;
      const isValid = ajv.validate(listingNamed(tool!)!.inputSchema, args(slots));
      assert.ok(isValid, `${name} ${JSON.stringify(args(slots))}: ${ajv.errorsText()}`);
      assert.ok(!Object.values(args(slots)).includes(undefined), name);
    }
  });

  for (const [name, slots] of asked)
    it(`answers ${name} ${JSON.stringify(slots)}`, async () => {
      const { payload, prose } = await ask(name, slots, answers.poor);
      assertReads(prose, payload, slots);
      const rich = await ask(name, slots, answers.rich);
      assertReads(rich.prose, rich.payload, slots);
    });

  for (const [name, slotsOf] of byId)
    it(`answers ${name} of what has this id`, async () => {
      const slots = slotsOf(ids);
      const { payload, prose } = await ask(name, slots, answers.rich);
      assertReads(prose, payload, slots);
      await assert.rejects(ask(name, slots, answers.poor), { code: /^unknown_/ });
    });

  it('answer payloads with fields that may be null or empty', async () => {
    const first = new Map([...asked].reverse().map(([name, slots]) => [name, slots]));
    for (const [name, slotsOf] of byId) first.set(name, slotsOf(ids));
    for (const [name, slots] of first) {
      const { payload } = await ask(name, slots, answers.rich);
      const { tool, answer } = intentNamed(name)!;
      const odd = oddPayloads(payload, toolNamed(tool!)!.operation.output);
      assert.ok(odd.length > 0, name);
      for (const each of odd) assertReads(answer(each, slots), each, slots);
    }
  });

  for (const [name, slots, text] of texts)
    it(`reads well: ${name} ${JSON.stringify(slots)}`, async () => {
      // Partners are numbered in the order in which the tests of a process make them.
      const found = textOf((await ask(name, slots, answers.rich)).prose).replaceAll(
        /"Partner \d+"/g,
        '"Partner 1"',
      );
      assert.equal(found, text);
    });
});
