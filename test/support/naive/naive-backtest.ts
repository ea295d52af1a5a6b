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
  candles: Pick<Candles, 'open' | 'close'>,
  targets: Int8Array,
  from: number,
  costs: Costs,
): { equity: number[]; trades: Omit<Trade, 'entry' | 'exit'>[]; entries: number[]; exits: number[] } {
  const fills = fillsOf(candles, targets, from, costs.slippageRate);
  const accounts = accountsAfter(fills, costs.feeRate);
  const equity: number[] = [];
  for (let i = from; i < candles.close.length; i++) {
    const { cash, coins } = accounts[fills.filter(({ candle }) => candle <= i).length];
    equity.push(cash + coins * candles.close[i]);
  }
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
