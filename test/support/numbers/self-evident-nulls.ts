/**
 * Nulls that no statistic is behind: nothing is there (yet), or the sentence of the field says it all. Every other null of an
 * answer has its reason beside it. As `analysis: path`.
 */
export const selfEvidentNulls: readonly string[] = [
  'dca-ladder: fills[].averageEntry',
  'dca-ladder: fills[].breakEven',
  'dca-ladder: fills[].lossAtStop',
  'dca-ladder: fills[].lossAtStopPercent',
  'dca-ladder: fills[].riseToBreakEvenPercent',
  'divergences: divergences[].confirmedAt',
  'flip-price: stays',
  'flip-price: stays.atr',
  'flip-price: targets[].agreeing',
  'flip-price: targets[].agreeing.atr',
  'flip-price: targets[].nearest',
  'flip-price: targets[].nearest.atr',
  'indicator-values: indicators[].outputs[].values[]',
  'momentum: cci.lastCross',
  'momentum: macd.lastCross',
  'momentum: rsi.lastCross',
  'momentum: stochastic.lastCross',
  'performance: rows[].asOf',
  'performance: rows[].price',
  'portfolio-risk: after',
  'position-size: liquidationPrice',
  'position-size: rules.minNotional',
  'position-size: rules.tick',
  'scan-states: nextCursor',
  'screen: rows[].before{}',
  'screen: rows[].values{}',
  'similar-history: matches[].followed[].percent',
  'support-resistance: above[].distanceAtr',
  'support-resistance: above[].lastTouch',
  'support-resistance: above[].touches',
  'support-resistance: below[].distanceAtr',
  'support-resistance: below[].lastTouch',
  'support-resistance: below[].touches',
  'support-resistance: majorSwing',
  'support-resistance: pivots',
  'tail-risk: drawdowns[].recovery',
  'technical-summary: conditions.volatility',
  'technical-summary: votes[].value',
  'trade-levels: stop.swingTime',
  'trade-levels: targets[].level',
  'trend-state: agreement.majority',
  'trend-state: agreement.score',
  'trend: ichimoku.cloud',
  'trend: ichimoku.lastCross',
  'trend: movingAverages.lastCross',
  'trend: movingAverages.lines[].distancePercent',
  'trend: movingAverages.lines[].slopePercent',
  'trend: movingAverages.lines[].value',
  'trend: movingAverages.longTerm',
  'trend: psar.distancePercent',
  'trend: supertrend.distancePercent',
  'volume: vwap.rolling.distancePercent',
  'volume: vwap.session.distancePercent',
];

/** The paths of one analysis. */
export const selfEvidentOf = (name: string): Set<string> =>
  new Set(
    selfEvidentNulls
      .filter((each) => each.startsWith(`${name}: `))
      .map((each) => each.slice(name.length + 2)),
  );
