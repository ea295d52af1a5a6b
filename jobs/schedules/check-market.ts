import { defineSchedule } from './worker/schedule.js';

/** Every five minutes, when the exchange has had time to publish the candle. */
export const checkMarketSchedule = defineSchedule({
  name: 'check-market',
  summary: 'checks that the candles of every pair are stored, and fetches missing ones',
  pattern: '30 2-59/5 * * * *',
  limitMs: 240_000,
  run: ({ market }) => market.check(),
});
