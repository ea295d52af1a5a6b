/** Times of a feed of prices, in ms. */
export interface FeedTimes {
  /** How often the feed updates its pairs, and requests prices that are not streamed. */
  everyMs: number;
  /** The price of a pair is requested if its last trade is older than this. */
  quietMs: number;
  /** Trades are looked up after a time without any price that is longer than this. */
  gapMs: number;
  /** How long the stream may lack a trade that a requested price shows. */
  missedMs: number;
}

export const defaultFeedTimes: FeedTimes = { everyMs: 1_000, quietMs: 3_000, gapMs: 5_000, missedMs: 5_000 };
