"""EMA 20/50 with an RSI filter in backtesting.py and in vectorbt, by the rules of ours. Times are of longs alone, with stop and
target; results are of both ways with them in backtesting.py, and of longs without them in vectorbt.

Arguments: folder of the packages, file with the columns open, high, low, close (doubles, one after the other).
A line of input "time ENGINE CALLS" is answered by the CPU time of one run in ns, "result ENGINE" by its trades and the equity at the end.

Where both mean the same: fills at the next open, all equity, a fee of 0.1 % of each side. backtesting.py knows slippage at the entry
alone: it has none. vectorbt looks at stops from the candle after the entry on: its result has none, its time has them. Targets
fill better in backtesting.py over a gap: candles have none. What is open after the last candle is sold at its close, for which one more row stands.
"""
import json, os, sys, time, warnings

os.environ['TQDM_DISABLE'] = '1'
sys.path.insert(0, sys.argv[1])
warnings.filterwarnings('ignore')
import numpy as np, pandas as pd, talib
import vectorbt as vbt
from backtesting import Strategy
from backtesting.lib import FractionalBacktest

FEE, SLIPPAGE, STOP, TARGET, CASH = 0.001, 0.0005, 0.03, 0.06, 10_000
# backtesting.py trades whole units: so small that what a trade leaves over is below the rounding of a double.
UNIT = 1e-14
READY = 49

o, h, l, c = np.fromfile(sys.argv[2]).reshape(4, -1)
count = len(c)
prices = np.vstack([np.append(column, c[-1]) for column in (o, h, l, c)])
index = pd.date_range('2020-01-01', periods=count + 1, freq='h')
frame = pd.DataFrame(dict(zip(('Open', 'High', 'Low', 'Close'), prices)), index=index).assign(Volume=1.0)
opens, highs, lows, closes = (pd.Series(column, index) for column in prices)


def columns(close):
    return talib.EMA(close, 20), talib.EMA(close, 50), talib.RSI(close, 14)


class Rules(Strategy):
    both = True

    def init(self):
        # 0 before they are defined, not NaN: it would skip candles on which others are.
        self.fast, self.slow, self.rsi = (
            self.I(lambda: np.nan_to_num(column), plot=False) for column in columns(self.data.Close)
        )

    def next(self):
        at = len(self.data) - 1
        if at < READY:
            return
        if at >= count - 1:
            self.position.close()
            return
        rising, falling = self.fast[-1] > self.slow[-1], self.fast[-1] < self.slow[-1]
        if (self.position.is_long and falling) or (self.position.is_short and rising):
            self.position.close()
        elif self.position:
            return
        # Levels are set from the price of the entry, in its units.
        entry = prices[0][at + 1] * UNIT
        if rising and self.rsi[-1] < 70:
            self.buy(sl=entry * (1 - STOP), tp=entry * (1 + TARGET))
        elif self.both and falling and self.rsi[-1] > 30:
            self.sell(sl=entry * (1 + STOP), tp=entry * (1 - TARGET))


backtest = FractionalBacktest(frame, Rules, cash=CASH, commission=FEE, fractional_unit=UNIT)


def backtesting_result():
    stats = backtest.run()
    trades = [
        [1 if size > 0 else -1, int(a), min(int(b), count - 1)]
        for size, a, b in zip(stats._trades.Size, stats._trades.EntryBar, stats._trades.ExitBar)
    ]
    # In the order of closing, as ours.
    return sorted(trades, key=lambda trade: trade[2]), stats['Equity Final [$]']


def fill_vectorbt(**stops):
    fast, slow, rsi = columns(closes.to_numpy())
    entries, exits = (fast > slow) & (rsi < 70), fast < slow
    # Decided at the close, filled at the next open; nothing is decided on the last candle, at whose close the rest is sold.
    entries[count - 1:], exits[count - 1] = False, True
    entries, exits = (np.concatenate(([False], each[:-1])) for each in (entries, exits))
    return vbt.Portfolio.from_signals(
        closes, entries, exits, price=opens, open=opens, high=highs, low=lows, fees=FEE, slippage=SLIPPAGE,
        init_cash=CASH, freq='1h', direction='longonly', **stops
    )


def vectorbt_result():
    portfolio = fill_vectorbt()
    records = portfolio.trades.records
    trades = [[1, int(a), min(int(b), count - 1)] for a, b in zip(records['entry_idx'], records['exit_idx'])]
    return trades, portfolio.final_value()


def vectorbt_figures():
    portfolio = fill_vectorbt(sl_stop=STOP, tp_stop=TARGET)
    trades = portfolio.trades
    return [
        portfolio.total_return(), portfolio.sharpe_ratio(), portfolio.max_drawdown(), portfolio.sortino_ratio(),
        portfolio.calmar_ratio(), trades.win_rate(), trades.profit_factor(), trades.expectancy(), trades.count(),
    ]


RESULTS = {'backtesting.py': backtesting_result, 'vectorbt': vectorbt_result}
RUNS = {'backtesting.py': lambda: backtest.run(both=False), 'vectorbt': vectorbt_figures}

for line in sys.stdin:
    kind, engine, *calls = line.split()
    if kind == 'result':
        trades, equity = RESULTS[engine]()
        print(json.dumps({'trades': trades, 'equityEnd': float(equity)}), flush=True)
    else:
        start = time.process_time_ns()
        for _ in range(int(calls[0])):
            RUNS[engine]()
        print((time.process_time_ns() - start) / int(calls[0]), flush=True)
