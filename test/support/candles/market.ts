import type { Candles } from '../../../compute/model/candles.js';
import { openTestService, type TestService, type TestServiceOptions } from '../gateway/gateway.js';
import { randomCandles } from './random-candles.js';

/** A service whose market is 500 days of BTC/USDT, 100 of ETH against USDT and BTC, and 5 hours of NEW/USDT. */
export interface TestMarket {
  service: TestService;
  /** The 1h candles of BTC/USDT. */
  btc: Candles;
  /** A signed-in user's. */
  token: string;
}

export async function openTestMarket(options: TestServiceOptions = {}): Promise<TestMarket> {
  const service = await openTestService(options);
  const { candles } = service.storage;
  const btc = quoted(randomCandles(24 * 500));
  await candles.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, btc);
  await candles.add(
    { market: 'csv', base: 'ETH', quote: 'USDT' },
    quoted(randomCandles(24 * 100, { seed: 2 })),
  );
  await candles.add(
    { market: 'csv', base: 'ETH', quote: 'BTC' },
    quoted(randomCandles(24 * 100, { seed: 3 })),
  );
  await candles.add({ market: 'csv', base: 'NEW', quote: 'USDT' }, quoted(randomCandles(5, { seed: 4 })));
  return { service, btc, token: await service.signIn() };
}

/** The candles with prices of ten digits, as exchanges quote them: answers show them as they are stored. */
function quoted(candles: Candles): Candles {
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const)
    candles[name].forEach((value, i) => (candles[name][i] = Number(value.toPrecision(10))));
  return candles;
}
