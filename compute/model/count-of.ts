/** A count with its noun: "1 candle", "3 candles", "2 matches" with the plural given. */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
