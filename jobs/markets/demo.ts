import { storeDemoHistory } from '../../storage/market/demo-history.js';
import { DemoMarket, hourMs } from '../../storage/market/demo-market.js';
import type { RunningRole } from '../../storage/role.js';
import type { MarketContext } from './market-context.js';

const retryMs = 5_000;

/** Makes the history of the demo market, and each hour when it is over. */
export async function followDemo({ storage, log, report }: MarketContext): Promise<RunningRole> {
  let market = new DemoMarket();
  let shown = 0;
  await storeDemoHistory(market, storage, Date.now(), (done, total) => {
    const percent = Math.floor((done / total) * 100);
    if (percent < shown) return;
    report(`demo market: history of ${done} of ${total} pairs ready`);
    shown = percent + 25;
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
  return {
    async close() {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
    },
  };
}
