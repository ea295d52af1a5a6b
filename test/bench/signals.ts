import { benchFanOut, benchStorm, SignalBench } from './fan-out.js';
import { benchPrices } from './prices.js';
import { withStorage } from './with-storage.js';

/** A signal to 10,000 subscribers, 100 signals a minute to 1,000, and prices that cross the levels of 10,000 executions. */
export async function benchSignals(): Promise<void> {
  await withStorage(async (storage, urls) => {
    const bench = await SignalBench.open(storage, urls);
    await benchFanOut(bench, 10_000);
    await bench.close();
  });
  await withStorage(async (storage, urls) => {
    const bench = await SignalBench.open(storage, urls);
    await benchStorm(bench, { signals: 50, subscribers: 1_000, maxOpenSignals: 5 });
    await bench.close();
  });
  await benchPrices();
}
