"""TA-Lib's side of the kernel benchmark: times one call after the other, as test/bench/kernels.ts asks for them.

Arguments: folder of the package, file with the columns high, low, close, volume (doubles, one after the other).
Each line of input is "name calls"; the answer is the time of one call in ns, or "none" where TA-Lib has no such kernel.
"""
import sys, time

sys.path.insert(0, sys.argv[1])
import numpy, talib as t

h, l, c, v = numpy.fromfile(sys.argv[2]).reshape(4, -1)
CALLS = {
    'adx': lambda: (t.ADX(h, l, c, 14), t.PLUS_DI(h, l, c, 14), t.MINUS_DI(h, l, c, 14)),
    'aroon': lambda: t.AROON(h, l, 25),
    'atr': lambda: t.ATR(h, l, c, 14),
    'bollinger': lambda: t.BBANDS(c, 20, 2.0, 2.0, 0),
    'cci': lambda: t.CCI(h, l, c, 20),
    'dema': lambda: t.DEMA(c, 20),
    'ema': lambda: t.EMA(c, 20),
    'kama': lambda: t.KAMA(c, 10),
    'linear_regression_slope': lambda: t.LINEARREG_SLOPE(c, 14),
    'macd': lambda: t.MACD(c, 12, 26, 9),
    'mfi': lambda: t.MFI(h, l, c, v, 14),
    'natr': lambda: t.NATR(h, l, c, 14),
    'obv': lambda: t.OBV(c, v),
    'psar': lambda: t.SAR(h, l, 0.02, 0.2),
    'roc': lambda: t.ROC(c, 10),
    'rsi': lambda: t.RSI(c, 14),
    'sma': lambda: t.SMA(c, 20),
    'standard_deviation': lambda: t.STDDEV(c, 20),
    'stoch_rsi': lambda: t.STOCHRSI(c, 14, 14, 3, 0),
    'stochastic': lambda: t.STOCH(h, l, c, 14, 3, 0, 3, 0),
    'tema': lambda: t.TEMA(c, 20),
    'williams_r': lambda: t.WILLR(h, l, c, 14),
    'wma': lambda: t.WMA(c, 20),
}

for line in sys.stdin:
    name, calls = line.split()
    call = CALLS.get(name)
    if call:
        start = time.perf_counter_ns()
        for _ in range(int(calls)):
            call()
        print((time.perf_counter_ns() - start) / int(calls), flush=True)
    else:
        print('none', flush=True)
