import type { binance as Binance } from 'ccxt';
import type { IsolatedAccount, IsolatedMargin } from '../../venue-trading.js';

interface IsolatedAsset {
  free: string;
  locked: string;
  netAsset: string;
}

interface IsolatedPair {
  symbol: string;
  baseAsset: IsolatedAsset;
  quoteAsset: IsolatedAsset;
  liquidatePrice?: string;
}

/** Isolated margin of Binance: the accounts of the pairs that the user has opened. */
export const binanceIsolated: IsolatedMargin<Binance> = {
  async accounts(client) {
    const { assets = [] } = (await client.sapiGetMarginIsolatedAccount()) as { assets?: IsolatedPair[] };
    return assets.map(({ symbol, baseAsset, quoteAsset, liquidatePrice = '0' }): IsolatedAccount => ({
      symbol: client.safeSymbol(symbol, undefined, undefined, 'spot'),
      baseNet: baseAsset.netAsset,
      quoteFree: quoteAsset.free,
      liquidationPrice: liquidatePrice,
      isLocked: [baseAsset, quoteAsset].some(({ locked }) => Number(locked) !== 0),
    }));
  },

  openOrders: (client, symbol) =>
    client.fetchOpenOrders(symbol, undefined, undefined, { marginMode: 'isolated' }),
};
