/** The candles on which other engines were asked, as arguments of `randomCandles`. */
export const comparedSeries = [2_000, { seed: 8 }] as const;
