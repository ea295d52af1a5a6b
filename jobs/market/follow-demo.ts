import { storeDemoHistory } from './store-demo-history.js';
import { DemoMarket, hourMs } from '../../compute/demo/demo-market.js';
import { DemoTicks } from '../../compute/demo/demo-ticks.js';
import { TickPublisher } from '../../storage/candles/market-ticks.js';
import { repairDemoHistory } from './repair-demo-history.js';
import type { MarketContext, RunningMarket } from './market-context.js';

const retryMs = 5_000;
const tickMs = 2_000;

/** Makes and stores the history of the demo market, each hour when it closes, and prices every few seconds. */
export async function followDemo({ storage, redis, log, report }: MarketContext): Promise<RunningMarket> {
  let market = new DemoMarket();
  let nextPercent = 0;
  await storeDemoHistory(market, storage, Date.now(), (done, total) => {
    const percent = Math.floor((done / total) * 100);
    if (percent < nextPercent && done < total) return;
    report(`demo market: history of ${done} of ${total} pairs ready`, done === total ? 'filled' : undefined);
    nextPercent = percent + 25;
  });

  let timer: NodeJS.Timeout;
  let writing = Promise.resolve();
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      writing = follow();
    }, ms);
  };
  const follow = async () => {
    try {
      await storeDemoHistory(market, storage, Date.now());
      wait(hourMs - (Date.now() % hourMs) + 500);
    } catch (error) {
      log.warn({ err: error }, 'demo candles not stored');
      market = new DemoMarket();
      wait(retryMs);
    }
  };
  await follow();

  const ticks = new DemoTicks();
  const publisher = new TickPublisher(redis, 'demo', tickMs * 0.9);
  const putPrices = async () => {
    const nowMs = Date.now();
    await publisher.publish(nowMs, (sinceMs) => ticks.since(sinceMs, nowMs), ticks.at(nowMs));
  };
  // A failed write needs no retry: the next prices follow in two seconds.
  const tick = () => void putPrices().catch(() => undefined);
  const ticking = setInterval(tick, tickMs);
  setImmediate(tick);
  return {
    async check() {
      // The hour that is being written would look missing.
      await writing;
      const { pairs, made } = await repairDemoHistory(storage, Date.now());
      return made === 0
        ? `${pairs} pairs have every hour`
        : `${made} missing hours of ${pairs} pairs made and stored`;
    },
    async close() {
      clearInterval(ticking);
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
    },
  };
}
