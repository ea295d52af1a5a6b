/** Words that readers of slots look for and that may stand in no phrase. */
export const slotWords: readonly string[] = [
  `hour hours hourly day days daily week weeks weekly month months monthly year years yearly quarter minute candle candles bar bars chart timeframe interval period
   yesterday today tomorrow january february march april june july august september october november december
   long short longs shorts bullish bearish neutral sideways accumulate accumulation accumulating distribute distribution distributing waiting uptrend downtrend
   entry stop target account capital balance leverage percent dollars euros thousand million hundred
   above below under over crosses crossed crossing greater less than least average moving upper lower band oversold overbought`,
].flatMap((text) => text.split(/\s+/));
