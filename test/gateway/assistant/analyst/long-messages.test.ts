import assert from 'node:assert/strict';
import { judgeServed, judgeUnserved } from '../../../support/assistant/judge-answer.js';

/** Messages with the call that answers them. */
const served: readonly (readonly [message: string, tool: string, args: Record<string, unknown>])[] = [
  [
    'hey so im driving and using the voice thing can you tell me the price of bitcoin ethereum and solana please period thank you',
    'get_price',
    { assets: ['BTC', 'ETH', 'SOL'] },
  ],
  [
    'Running 40 machines off a hydro contract in the mountains so the only thing I can still get wrong is the timing. I sell some BTC every month to pay the bill. Historically which month has been the worst one for the price?',
    'get_seasonality',
    { asset: 'BTC', by: 'month' },
  ],
  [
    'rotating out of farms. AVAX or LINK, which one did better over the last 90 days and with less vol',
    'get_performance',
    { assets: ['AVAX', 'LINK'] },
  ],
  [
    'Please settle an argument (dinner is at stake): ETH or BNB, which had the better return?',
    'get_performance',
    { assets: ['ETH', 'BNB'] },
  ],
  [
    'Explain how ADX is computed here and how long the warm-up is. Exam tomorrow.',
    'list_indicators',
    { name: 'adx' },
  ],
  [
    'pls check this before I post it: #ETH/USDT LONG\nexchange BINANCE futures, isolated 5x\ninvest 4%\nentry 29,130 - 29.5k\nTP1 30210 TP2 31255 TP 3: 32.5k\nSL 28085',
    'validate_signal',
    {
      signal: {
        ...{ coin: 'ETH', trade_market: 'USDT', type: 'long', exchange: 'BINANCE', invest: 4 },
        ...{ entry_price_max: '29500', entry_price_min: '29130' },
        ...{ exit_price_1: '30210', exit_price_2: '31255', exit_price_3: '32500', stop_loss: '28085' },
        ...{ leverage: 5, account: 'FUTURES', margin_type: 'ISOLATED' },
      },
    },
  ],
  [
    'ema_cross with default parameters on ETH daily, 1y, total return and drawdown please',
    'run_backtest',
    { strategy: 'ema_cross', asset: 'ETH', interval: '1d', period: '1y' },
  ],
  ['top 5 bleeders 30d, liquid stuff only', 'get_top_movers', { rank_by: 'loss', limit: 5, window: '30d' }],
  [
    '95%/99% VaR, 30-day horizon, for a 55/30/15 BTC/ETH/SOL basket, three-year lookback please',
    'get_tail_risk',
    { weights: { BTC: 55, ETH: 30, SOL: 15 }, lookback_days: 1095 },
  ],
  [
    'the candle of ETH/USDT from 12:00 to 13:00 UTC on 15 January 2025, open and close please',
    'get_candles',
    { asset: 'ETH', interval: '1h', limit: 1, end_time: '2025-01-15T13:00:00.000Z' },
  ],
  [
    'what would my portfolio risk look like if i sold half an ETH (0.5)',
    'get_portfolio_risk',
    { changes: [{ asset: 'ETH', quantity_delta: -0.5 }] },
  ],
  [
    'I never trust a bull run. So run ema_cross with its default parameters on ETH daily over 1y',
    'run_backtest',
    { asset: 'ETH', interval: '1d', period: '1y', strategy: 'ema_cross' },
  ],
  [
    'ema_cross, donchian_breakout and buy_and_hold on BTC and ETH, 1y daily',
    'compare_backtests',
    {
      assets: ['BTC', 'ETH'],
      strategies: ['ema_cross', 'donchian_breakout', 'buy_and_hold'],
      interval: '1d',
      period: '1y',
    },
  ],
  [
    'the daily candles of ADA/USDT for 10 November 2025 up to and including 14 November 2025',
    'get_candles',
    { asset: 'ADA', interval: '1d', trade_market: 'USDT', limit: 5, end_time: '2025-11-15T00:00:00.000Z' },
  ],
  [
    'ladder: first buy btc 29400 with 600 usdt, then 27500 x1.5, 25000 x2, stop 23000',
    'estimate_dca_ladder',
    {
      first_price: '29400',
      first_amount: 600,
      levels: [
        { buy_price: '27500', multiplier: 1.5 },
        { buy_price: '25000', multiplier: 2 },
      ],
      stop: '23000',
    },
  ],
];

/** Messages with a half that can't be served: what names it, and the tool that answers the other half. */
const halves: readonly (readonly [message: string, name: string, tool: string])[] = [
  [
    'Hash rate is up again. What is the network difficulty, and what is BTC trading at?',
    'on-chain',
    'get_price',
  ],
  [
    'What does the fear and greed index say, and is volatility in Ethereum calm or stressed?',
    'fear and greed',
    'get_volatility_reading',
  ],
  [
    'funding on SOL perps still negative? wanna long the squeeze. 4h state?',
    'the funding',
    'get_trend_state',
  ],
  [
    'read me the news on ripple the court thing and then tell me how the daily trend is on it',
    'news',
    'get_trend_state',
  ],
  ['Which had the better return over a year, gold or BTC?', 'metals', 'get_performance'],
  ['How much is now BTC/TRY and what is 24 hour changing?', 'a price in TRY', 'get_price'],
  [
    "Upgrade us to the yearly plan, we've decided. And is ADA still in accumulate on the daily?",
    'to "Upgrade us to the yearly plan"',
    'get_trend_state',
  ],
  ['10-day expected shortfall for BTC, 365-day lookback', 'losses over 10-day', 'get_tail_risk'],
  [
    'Would 150 USDT into Ether every fortnight over the last twelve months have made money?',
    'buys every fortnight',
    'simulate_recurring_buy',
  ],
  ['close my SOL long right now, and what is the RSI of BTC on 4h', 'close my SOL', 'get_indicator_values'],
  [
    'send this to my subscribers: LONG SOL/USDT entry 28-29, tp 31, tp 33, sl 26.5, invest 3%, binance spot',
    'send this',
    'validate_signal',
  ],
  ["ETH's price on 3 February 2025 at 02:14:33 UTC", 'candles are of an hour', 'get_candles'],
];

describe('a message that says more than its question', () => {
  for (const [message, tool, args] of served)
    it(`is answered by the question in it: ${message.slice(0, 60)}`, async () => {
      const { verdict, text, calls } = await judgeServed({ turns: [message], tool, args });
      assert.equal(verdict, 'served', `${text} ${JSON.stringify(calls.map(({ args: made }) => made))}`);
    });

  for (const [message, name, tool] of halves)
    it(`is answered in both halves: ${message.slice(0, 60)}`, async () => {
      const { verdict, text, calls } = await judgeUnserved({ kind: 'half', turns: [message], name });
      assert.equal(verdict, 'honest', text);
      assert.deepEqual(
        calls.map((call) => call.tool),
        [tool],
      );
    });
});
