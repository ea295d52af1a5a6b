"""The Python side of the backtest benchmark: the EMA cross in backtesting.py and in vectorbt, by the rules of ours.

Arguments: folder of the packages, file with the columns open, high, low, close (doubles, one after the other), fee rate.
A line of input "time ENGINE CALLS" is answered by the time of one run in ns, "result ENGINE" by its trades and figures.

What is open after the last candle is sold at its close: one more row stands for that, whose prices are all that close.
"""
import json, os, sys, time, warnings

os.environ['TQDM_DISABLE'] = '1'
sys.path.insert(0, sys.argv[1])
warnings.filterwarnings('ignore')
import numpy as np, pandas as pd, talib
import vectorbt as vbt
from backtesting import Strategy
from backtesting.lib import FractionalBacktest

fee = float(sys.argv[3])
FAST, SLOW, CASH = 20, 50, 10_000
# backtesting.py trades whole units: so small that what a trade leaves over is below the rounding of a double.
UNIT = 1e-14

o, h, l, c = np.fromfile(sys.argv[2]).reshape(4, -1)
count = len(c)
prices = np.vstack([np.append(column, c[-1]) for column in (o, h, l, c)])
index = pd.date_range('2020-01-01', periods=count + 1, freq='h')
frame = pd.DataFrame(dict(zip(('Open', 'High', 'Low', 'Close'), prices)), index=index).assign(Volume=1.0)
opens, closes = pd.Series(prices[0], index), pd.Series(prices[3], index)


class EmaCross(Strategy):
    def init(self):
        # Infinite before they are defined, not NaN: it would skip the first candle on which both are.
        self.fast, self.slow = (
            self.I(lambda close: np.nan_to_num(talib.EMA(close, period), nan=np.inf), self.data.Close)
            for period in (FAST, SLOW)
        )

    def next(self):
        rising = self.fast[-1] > self.slow[-1] and len(self.data) < count
        if rising and not self.position:
            self.buy()
        elif not rising and self.position:
            self.position.close()


backtest = FractionalBacktest(frame, EmaCross, cash=CASH, commission=fee, fractional_unit=UNIT)


def run_backtesting():
    return backtest.run()


def backtesting_result(stats):
    trades = [[int(a), min(int(b), count - 1)] for a, b in zip(stats._trades.EntryBar, stats._trades.ExitBar)]
    return trades, stats['Equity Final [$]'], stats['Return [%]']


def fill_vectorbt():
    close = closes.to_numpy()
    wanted = talib.EMA(close, FAST) > talib.EMA(close, SLOW)
    wanted[count - 1] = False
    # Decided at the close, filled at the next open.
    entries = np.concatenate(([False], wanted[:-1]))
    return vbt.Portfolio.from_signals(
        closes, entries, ~entries, price=opens, fees=fee, init_cash=CASH, freq='1h', direction='longonly'
    )


def run_vectorbt():
    portfolio = fill_vectorbt()
    trades = portfolio.trades
    figures = [
        portfolio.total_return(), portfolio.sharpe_ratio(), portfolio.max_drawdown(), portfolio.sortino_ratio(),
        portfolio.calmar_ratio(), trades.win_rate(), trades.profit_factor(), trades.expectancy(), trades.count(),
    ]
    return portfolio, figures


def vectorbt_result(ran):
    portfolio, figures = ran
    records = portfolio.trades.records
    trades = [[int(a), min(int(b), count - 1)] for a, b in zip(records['entry_idx'], records['exit_idx'])]
    return trades, portfolio.final_value(), figures[0] * 100


RUNS = {'backtesting.py': run_backtesting, 'vectorbt': run_vectorbt, 'vectorbt-fills': fill_vectorbt}
RESULTS = {'backtesting.py': backtesting_result, 'vectorbt': vectorbt_result}

for line in sys.stdin:
    kind, engine, *calls = line.split()
    run = RUNS[engine]
    if kind == 'result':
        trades, equity, total_return = RESULTS[engine](run())
        print(json.dumps({'trades': trades, 'equityEnd': float(equity), 'totalReturn': float(total_return)}), flush=True)
    else:
        start = time.perf_counter_ns()
        for _ in range(int(calls[0])):
            run()
        print((time.perf_counter_ns() - start) / int(calls[0]), flush=True)
