/** Times of a feed of prices, in ms. */
export interface FeedTimes {
  /** How often it looks after its pairs, and asks for prices that are not streamed. */
  everyMs: number;
  /** A pair whose last trade is older is asked for. */
  quietMs: number;
  /** What is traded while no price is known for longer than this is looked up. */
  gapMs: number;
  /** How long a trade that an answer shows may be missing in the stream. */
  missedMs: number;
}

export const usualFeedTimes: FeedTimes = { everyMs: 1_000, quietMs: 3_000, gapMs: 5_000, missedMs: 5_000 };
