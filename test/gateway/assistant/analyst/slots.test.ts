import assert from 'node:assert/strict';
import type { Slots } from '../../../../gateway/assistant/analyst/slots.js';
import { recogniser } from '../../../../gateway/assistant/analyst/recognition/default-recogniser.js';
import { nowMs } from '../../../support/assistant/understood.js';

/** The slots that a question names. */
function slotsOf(question: string): Slots {
  const known = recogniser();
  return known.read(known.tokens(question), nowMs, question).slots;
}

/** Slots by their values; undefined for one that is not named. */
type Expected = { [Name in keyof Slots]: Slots[Name] | undefined };

/** Questions with the slots that matter in them; further slots are allowed. */
function reads(cases: Readonly<Record<string, Expected>>): void {
  for (const [question, expected] of Object.entries(cases))
    it(question, () => {
      const slots = slotsOf(question);
      const found = Object.fromEntries(
        Object.keys(expected).map((slot) => [slot, slots[slot as keyof Slots]]),
      );
      assert.deepEqual(found, expected);
    });
}

/** Questions that do not name a slot. */
function readsNo(slot: keyof Slots, questions: readonly string[]): void {
  for (const question of questions)
    it(`no ${slot} in: ${question}`, () => assert.equal(slotsOf(question)[slot], undefined));
}

describe('the slots of a question', () => {
  describe('assets', () => {
    reads({
      'price of btc': { assets: ['BTC'] },
      'is $link up': { assets: ['LINK'] },
      'price of link': { assets: ['LINK'] },
      'how is LINK doing': { assets: ['LINK'] },
      'near price': { assets: ['NEAR'] },
      'what about dot, atom and near?': { assets: ['DOT', 'ATOM', 'NEAR'] },
      'trend of bitcoin cash': { assets: ['BCH'] },
      'compare ethereum classic with ethereum': { assets: ['ETC', 'ETH'] },
      'bitcion and etherium': { assets: ['BTC', 'ETH'] },
      'solona, cardno, polkadto': { assets: ['SOL', 'ADA', 'DOT'] },
      'price of BTC/USDT': { assets: ['BTC'], tradeMarket: 'USDT' },
      'eth-btc trend': { assets: ['ETH'], tradeMarket: 'BTC' },
      'solusdt 4h': { assets: ['SOL'], tradeMarket: 'USDT', interval: '4h' },
      'eth in btc terms': { assets: ['ETH'], tradeMarket: 'BTC' },
      'price of XYZQ now': { assets: ['XYZQ'] },
    });
    readsNo('asset', [
      'what can you do for me',
      'show the one that is near its high',
      'should I wait for a better entry',
      'any link between them',
      'do NOT tell me',
      'is the trend over',
      'what are the flows of the core market',
      'how do I use this',
    ]);
  });

  describe('spans of time', () => {
    reads({
      'on the 4h': { interval: '4h' },
      'on the daily': { interval: '1d' },
      '4-hour candles': { interval: '4h' },
      'btc, 4 hour please': { assets: ['BTC'], interval: '4h' },
      'btc 4hr': { assets: ['BTC'], interval: '4h' },
      'hourly chart': { interval: '1h' },
      'over the last 6 months': { period: '6M' },
      'half a year': { period: '6M' },
      'in the past quarter': { period: '3M' },
      'over 90 days': { period: '3M', windowHours: 2160 },
      '3M and 1h': { period: '3M', interval: '1h' },
      'for a year': { period: '1y' },
      'in the last 4 hours': { windowHours: 4 },
      'gainers of the week': { windowHours: 168 },
      'last 24h': { windowHours: 24 },
      'since 2026-03-01': { date: '2026-03-01' },
      'since march': { date: '2026-03-01' },
      'on 5 june 2025': { date: '2025-06-05' },
      'on june 5, 2025': { date: '2025-06-05' },
      'in november': { date: '2025-11-01' },
      'the last 20 candles': { candles: 20 },
      'buy $50 every week': { every: 'week', amount: 50 },
      '$50 a month': { every: 'month', amount: 50 },
    });
    reads({
      'what moved in the past hour': { windowHours: 1 },
      'the last couple of hours': { windowHours: 2 },
      'over the last fortnight': { windowHours: 336 },
      'movers since yesterday': { windowHours: 24, date: '2026-06-14' },
      'my profit since wednesday': { windowHours: 120, date: '2026-06-10' },
      'and the month?': { windowHours: 720 },
      'within the past 5 daily candles': { candles: 5, interval: '1d' },
      'the last ten 4h bars': { candles: 10, interval: '4h' },
      'eth trend daily': { interval: '1d', every: undefined },
      'sol 4 hourly': { interval: '4h' },
      'invest $20 daily': { every: 'day', amount: 20 },
    });
    readsNo('by', ['movers of the last hour', 'profits of the past month', 'gainers this week']);
    readsNo('interval', [
      'the 200 day average',
      'in a day or so',
      'over 7 days',
      'in the last 4 hours',
      'last 24h',
    ]);
  });

  describe('prices and amounts', () => {
    reads({
      'entry 60k stop 58k target 70,000': { entry: 60_000, stop: 58_000, target: 70_000 },
      'long at 60000 with a stop at 58000 and take profit 65000': {
        entry: 60_000,
        stop: 58_000,
        target: 65_000,
      },
      '60k entry, 58k stop, 70k target': { entry: 60_000, stop: 58_000, target: 70_000 },
      'odds of hitting 70k before 58k': { target: 70_000, stop: 58_000 },
      'a $10k account, risk 1%': { amount: 10_000, percent: 1 },
      'I have ten thousand dollars and risk half a percent': { amount: 10_000, percent: 0.5 },
      'with 1.5m usdt': { amount: 1_500_000 },
      'risk two percent at 5x': { percent: 2, leverage: 5 },
      'leverage of 3': { leverage: 3 },
      '60 % BTC and 40 % ETH': { weights: { BTC: 60, ETH: 40 } },
      'get in at 3200': { entry: 3200 },
      'getting in at 60k, risk down to 58k': { entry: 60_000, stop: 58_000 },
      'in at 150, out at 140': { entry: 150, stop: 140 },
      'in at 150, stop 140, out at 170': { entry: 150, stop: 140, target: 170 },
      'short, in at 150, out at 160': { entry: 150, stop: 160 },
      'buy 60000 cut at 58500': { entry: 60_000, stop: 58_500 },
      'risk 1% of 5000': { percent: 1, amount: 5000 },
      '100 usdt at 3000 first, then 2x that at 2800 and 3x at 2600': {
        amount: 100,
        prices: [3000, 2800, 2600],
        multipliers: [2, 3],
      },
      '300 at 50k, 100 at 60k, 200 at 55k': {
        amount: 100,
        prices: [60_000, 55_000, 50_000],
        multipliers: [2, 3],
      },
      '$50 at 20 and double at 15': { amount: 50, prices: [20, 15], multipliers: [2] },
      'half btc half eth': { weights: { BTC: 50, ETH: 50 } },
      '70/30 btc eth': { weights: { BTC: 70, ETH: 30 } },
      '99% var of a 60/40 btc eth book': { weights: { BTC: 60, ETH: 40 } },
      'sell 0.5 btc and buy 10 sol': {
        changes: [
          { asset: 'BTC', quantity: -0.5 },
          { asset: 'SOL', quantity: 10 },
        ],
      },
    });
  });

  describe('words with few meanings', () => {
    reads({
      'is it in accumulation': { state: 'accumulate' },
      'still in wait': { state: 'wait' },
      'going short': { side: 'short' },
      'top ten losers by volume': { count: 10, rankBy: 'loss' },
      'the last 5 flips': { count: 5 },
      'run it 5000 times': { count: 5000 },
      'the twenty latest signals': { count: 20 },
      'my 5 most recent orders': { count: 5 },
      'pnl by exchange': { groupBy: 'exchange' },
      'split it by provider': { groupBy: 'channel' },
      'for each token': { groupBy: 'asset' },
      'orders that were turned down': { status: 'rejected', rankBy: undefined },
      'signals that ran out': { status: 'expired' },
      'orders that went through': { status: 'filled' },
      'what bled the most': { rankBy: 'loss' },
      'breadth, what is that supposed to be': { term: 'breadth' },
      'cvar, never heard of it': { term: 'cvar' },
      'orders on binance': { exchange: 'BINANCE' },
      'order 7f3a9c2e-51d4-4b86-9f0e-2a1b3c4d5e6f': { id: '7f3a9c2e-51d4-4b86-9f0e-2a1b3c4d5e6f' },
      'how did channel Alpha Whale do': { channel: 'Alpha Whale' },
      'what does drawdown mean': { term: 'drawdown' },
      'whats R': { term: 'r' },
    });
    readsNo('side', ['how long has it lasted', 'in the long run', 'long term trend']);
    readsNo('state', ['wait, what about it', 'I can wait']);
    readsNo('term', ['what is the drawdown of btc', 'my drawdown']);
  });

  describe('indicators, conditions and strategies', () => {
    reads({
      'rsi 14 of btc': { indicator: 'rsi', indicatorPeriod: 14 },
      '200-day average of eth': { indicator: 'sma', indicatorPeriod: 200 },
      'the 50 and the 200 day SMA of btc': { indicators: ['sma_50', 'sma_200'] },
      'ema 20, 50 and 200 for sol': { indicators: ['ema_20', 'ema_50', 'ema_200'] },
      'rsi(7) and stochastic on link': { indicators: ['rsi_7', 'stochastic'] },
      'macd 8 21 5 of eth': { indicators: ['macd_8_21_5'] },
      'rsi and 50 ema of btc': { indicators: ['rsi', 'ema_50'] },
      'rsi 14 of btc on the last 5 candles': { indicators: undefined, indicatorPeriod: 14, candles: 5 },
      'ema(50) sol': { indicator: 'ema', indicatorPeriod: 50 },
      'rsi below 30 and above its 200-day average': {
        conditions: [
          { left: 'rsi_14', op: '<', right: '30' },
          { left: 'close', op: '>', right: 'sma_200' },
        ],
        join: 'and',
      },
      'coins with adx over 25 or mfi under 20': {
        conditions: [
          { left: 'adx_14', op: '>', right: '25' },
          { left: 'mfi_14', op: '<', right: '20' },
        ],
        join: 'or',
      },
      'anything where macd crosses above its signal': {
        conditions: [{ left: 'macd', op: 'crosses_above', right: 'macd_signal' }],
      },
      'coins in accumulate with rsi < 50': {
        conditions: [
          { left: 'rsi_14', op: '<', right: '50' },
          { left: 'state', op: '=', right: 'accumulate' },
        ],
      },
      'backtest a 10/30 ema crossover': { strategy: 'ema_cross', params: { fast: 10, slow: 30 } },
      'backtest ema 12 26 cross with 0.2 % fees': {
        strategy: 'ema_cross',
        params: { fast: 12, slow: 26 },
        feePercent: 0.2,
      },
      'compare supertrend with buy and hold': { strategies: ['supertrend', 'buy_and_hold'] },
      'backtest the trend state without fees': { strategy: 'trend_state', feePercent: 0 },
    });
    reads({
      'supertrend or rsi reversal, which did better over 3 months': { params: undefined, period: '3M' },
      'backtest the ema cross on btc': { marginType: undefined, strategy: 'ema_cross' },
    });
    readsNo('strategy', ['trend state of btc', 'supertrend of eth']);
    readsNo('conditions', ['is btc above its 200 day average', 'movers over 7 days']);
  });
});
