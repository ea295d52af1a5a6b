/** The terms of answers, one line each. */
export const glossary = `# Glossary

- **accumulate, wait, distribute**: the trend state of an asset on one interval: strength, no clear bias, weakness.
- **flip**: a change of the trend state on the close of a candle.
- **flip price**: the close of the next candle that would change the state.
- **agreement**: how far the states on 1h, 4h and 1d point the same way.
- **candle**: open, high, low, close and volume of one hour, four hours or one day, in UTC. Only closed candles count.
- **as_of**: the time an answer is about, usually the close of the newest candle.
- **source**: where candles come from. "demo" is a generated market.
- **stale**: newer data is overdue.
- **warmup_ok**: the indicators had their usual history.
- **ATR**: average true range, the usual size of a candle; distances are given in multiples of it.
- **R**: the distance from entry to stop. A result of 2 R gained twice what was at risk.
- **drawdown**: fall from the highest value so far, in percent, below 0.
- **Sharpe ratio**: mean excess return over its standard deviation, per year.
- **profit factor**: gross profit over gross loss.
- **VaR, CVaR**: at 95 % (99 %), the loss that is exceeded in 5 (1) of 100 cases, and the mean loss of those cases.
- **breadth**: share of assets that rise, stand above an average, or are in a state.
- **signal**: a trade idea of a partner channel, with entry, targets and stop, that subscribers may have executed.
- **rebuy zone, DCA level**: further buys below the entry of a signal.
- **trailing stop**: a stop that follows the price in the direction of the trade only.
- **out-of-sample**: measured on candles that the parameters were not fitted on.
- **core line**: the line through the middle of the recent closes from which the trend state is read, with a band on each side.
- **walk-forward**: parameters are fitted on one stretch of candles and measured on the next, stretch after stretch.
- **Monte Carlo**: the trades of a backtest are drawn many times in random order, to see how much of the result was luck.
- **p-value**: probability of a result at least as large by chance alone.`;
