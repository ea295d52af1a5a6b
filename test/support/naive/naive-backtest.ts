import type { Costs, Trade } from '../../../compute/backtest/engine.js';
import type { Candles } from '../../../compute/model/candles.js';

interface Fill {
  candle: number;
  side: 'buy' | 'sell';
  price: number;
  reason: Trade['exitReason'];
}

interface Account {
  cash: number;
  coins: number;
}

/**
 * The rule of spec/backtest.md once more, slowly and in another shape than the engine's: first the list of fills,
 * then the account after each of them, then equity and trades read off these.
 */
export function naiveBacktest(
  candles: Pick<Candles, 'open' | 'low' | 'close'>,
  targets: Int8Array,
  from: number,
  costs: Costs,
): {
  equity: number[];
  intrabarDrawdown: number;
  trades: Omit<Trade, 'entry' | 'exit'>[];
  entries: number[];
  exits: number[];
} {
  const fills = fillsOf(candles, targets, from, costs.slippageRate);
  const accounts = accountsAfter(fills, costs.feeRate);
  const equity: number[] = [];
  for (let i = from; i < candles.close.length; i++) {
    const { cash, coins } = accounts[fills.filter(({ candle }) => candle <= i).length];
    equity.push(cash + coins * candles.close[i]);
  }
  const moments = momentsOf(candles, fills, accounts, from);
  const buys = fills.filter(({ side }) => side === 'buy');
  const sells = fills.filter(({ side }) => side === 'sell');
  const trades = buys.map((buy, n) => {
    const [before, after] = [accounts[2 * n].cash, accounts[2 * n + 2].cash];
    return {
      entryPrice: buy.price,
      exitPrice: sells[n].price,
      gain: after - before,
      returnRate: after / before - 1,
      exitReason: sells[n].reason,
    };
  });
  return {
    equity,
    intrabarDrawdown: deepestFall(moments),
    trades,
    entries: buys.map(({ candle }) => candle),
    exits: sells.map(({ candle }) => candle),
  };
}

function fillsOf(
  { open, close }: Pick<Candles, 'open' | 'close'>,
  targets: Int8Array,
  from: number,
  slippage: number,
): Fill[] {
  const fills: Fill[] = [];
  const holding = () => fills.at(-1)?.side === 'buy';
  const last = close.length - 1;
  for (let signal = from; signal < last; signal++) {
    const candle = signal + 1;
    if (targets[signal] === 1 && !holding())
      fills.push({ candle, side: 'buy', price: open[candle] * (1 + slippage), reason: 'signal' });
    if (targets[signal] === 0 && holding())
      fills.push({ candle, side: 'sell', price: open[candle] * (1 - slippage), reason: 'signal' });
  }
  if (holding())
    fills.push({ candle: last, side: 'sell', price: close[last] * (1 - slippage), reason: 'end' });
  return fills;
}

/** The account before the first fill, and after each. */
function accountsAfter(fills: Fill[], fee: number): Account[] {
  const accounts: Account[] = [{ cash: 10_000, coins: 0 }];
  for (const { side, price } of fills) {
    const { cash, coins } = accounts.at(-1)!;
    accounts.push(
      side === 'buy'
        ? { cash: 0, coins: cash / (price * (1 + fee)) }
        : { cash: coins * price * (1 - fee), coins: 0 },
    );
  }
  return accounts;
}

/** What the account is worth at a moment: at a close, or at the low before it. */
interface Moment {
  kind: 'low' | 'close';
  worth: number;
}

/** Low and close of every candle, in order of time. Coins bought or kept at the open of a candle are there at its low. */
function momentsOf(
  { low, close }: Pick<Candles, 'low' | 'close'>,
  fills: Fill[],
  accounts: Account[],
  from: number,
): Moment[] {
  const moments: Moment[] = [];
  for (let i = from; i < close.length; i++) {
    const before = fills.filter(({ candle, reason }) => candle <= i && reason !== 'end').length;
    const after = fills.filter(({ candle }) => candle <= i).length;
    moments.push({ kind: 'low', worth: accounts[before].cash + accounts[before].coins * low[i] });
    moments.push({ kind: 'close', worth: accounts[after].cash + accounts[after].coins * close[i] });
  }
  return moments;
}

/** The deepest fall in percent, from any close to any later moment. */
function deepestFall(moments: readonly Moment[]): number {
  const falls = moments.flatMap((peak, n) =>
    peak.kind === 'low' ? [] : moments.slice(n + 1).map(({ worth }) => (worth / peak.worth - 1) * 100),
  );
  return Math.min(0, ...falls);
}
