import { defineSchedule } from './worker/schedule.js';

/** Twelve times an hour, when the hour's candle has had time to come. */
export const checkMarketSchedule = defineSchedule({
  name: 'check-market',
  summary: 'looks whether the candles of every pair are there, and has missing ones made up',
  pattern: '30 2-59/5 * * * *',
  limitMs: 240_000,
  run: ({ market }) => market.check(),
});
