import type { binance as Binance } from 'ccxt';
import { addUpAssets, walletAsset } from '../../wallet-assets.js';
import type { VenueWallets, WalletAsset } from '../../venue-wallets.js';
import { binanceEntries } from './binance-ledger.js';

interface MarginRow {
  asset: string;
  free: string;
  locked: string;
  borrowed: string;
  interest: string;
}

interface FuturesRow {
  asset: string;
  walletBalance: string;
  unrealizedProfit: string;
  initialMargin?: string;
  availableBalance: string;
}

/** Cross and isolated margin together, and the wallet of futures that settle in USDT. */
export const binanceWallets: VenueWallets<Binance> = {
  isShared: false,

  async assets(client, account) {
    return addUpAssets(account === 'FUTURES' ? await futuresAssets(client) : await marginAssets(client));
  },

  entries: binanceEntries,
};

async function futuresAssets(client: Binance): Promise<WalletAsset[]> {
  const { assets = [] } = (await client.fapiPrivateV3GetAccount()) as { assets?: FuturesRow[] };
  return assets.map(({ asset, walletBalance, unrealizedProfit, initialMargin, availableBalance }) =>
    walletAsset(asset, {
      total: walletBalance,
      free: availableBalance,
      locked: initialMargin,
      unrealised: unrealizedProfit,
    }),
  );
}

async function marginAssets(client: Binance): Promise<WalletAsset[]> {
  const { userAssets = [] } = (await client.sapiGetMarginAccount()) as { userAssets?: MarginRow[] };
  const { assets = [] } = (await client.sapiGetMarginIsolatedAccount()) as {
    assets?: { baseAsset: MarginRow; quoteAsset: MarginRow }[];
  };
  const isolated = assets.flatMap(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset]);
  return [...userAssets, ...isolated].map(ofMargin);
}

function ofMargin({ asset, free, locked, borrowed, interest }: MarginRow): WalletAsset {
  const row = walletAsset(asset, { free, locked, borrowed, interest });
  return { ...row, total: row.free.plus(row.locked) };
}
