import type { Exchange } from 'ccxt';
import { openCcxt } from '../../../storage/exchanges/open-ccxt.js';

/** ccxt's client of the fake exchange with a key, as an adapter of Tidemark opens it. */
export async function openExchangeClient(
  url: string,
  key: { apiKey: string; secret: string },
  timeoutMs = 2_000,
): Promise<Exchange> {
  const { exchange } = await openCcxt({
    ...{ id: 'binance', url, timeoutMs },
    key: { ...key, passphrase: null },
    signal: new AbortController().signal,
    afterAnswer: () => Promise.resolve(),
  });
  return exchange;
}
