import type { kucoin as Kucoin } from 'ccxt';
import { addUpAssets, walletAsset } from '../../wallet-assets.js';
import type { VenueWallets, WalletAsset } from '../../venue-wallets.js';
import { kucoinEntries } from './kucoin-ledger.js';
import { crossRows, isolatedRows } from './kucoin-margin.js';
import { exchangeRefused } from '../../venue-answers.js';

interface FuturesOverview {
  currency: string;
  /** Positions, orders and what is free, without what positions have gained or lost. */
  marginBalance: string;
  unrealisedPNL: string;
  availableBalance: string;
  positionMargin?: string;
  orderMargin?: string;
  frozenFunds?: string;
}

/** Cross and isolated margin together, and the wallet of futures that settle in USDT, of classic accounts. */
export const kucoinWallets: VenueWallets<Kucoin> = {
  isShared: false,

  async assets(client, account) {
    await requireClassic(client);
    return addUpAssets(account === 'FUTURES' ? await futuresAssets(client) : await marginAssets(client));
  },

  entries: kucoinEntries,
};

async function requireClassic(client: Kucoin): Promise<void> {
  if (!(await client.isUTAEnabled())) return;
  const message = 'margin and futures of unified accounts of kucoin are not read yet';
  throw exchangeRefused(message);
}

async function futuresAssets(client: Kucoin): Promise<WalletAsset[]> {
  const answer = await client.futuresPrivateGetAccountOverview({ currency: 'USDT' });
  const { data } = answer as { data: FuturesOverview };
  const { currency, marginBalance: total, availableBalance: free, unrealisedPNL: unrealised } = data;
  const locked = [data.positionMargin, data.orderMargin, data.frozenFunds].map(
    (part) => walletAsset(currency, { locked: part }).locked,
  );
  const row = walletAsset(currency, { total, free, unrealised });
  return [{ ...row, locked: locked.reduce((sum, part) => sum.plus(part)) }];
}

async function marginAssets(client: Kucoin): Promise<WalletAsset[]> {
  const [cross, isolated] = await Promise.all([crossRows(client), isolatedRows(client)]);
  return [...cross, ...isolated.flatMap(({ base, quote }) => [base, quote])];
}
