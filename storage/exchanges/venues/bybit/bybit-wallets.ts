import type { bybit as Bybit } from 'ccxt';
import { addUpAssets, walletAsset } from '../../wallet-assets.js';
import type { VenueWallets } from '../../venue-wallets.js';
import { bybitEntries } from './bybit-ledger.js';
import { exchangeRefused } from '../../venue-answers.js';

interface CoinRow {
  coin: string;
  /** Since Bybit has manual loans, this leaves out the debt on spot. */
  walletBalance: string;
  spotBorrow?: string;
  borrowAmount?: string;
  accruedInterest?: string;
  unrealisedPnl?: string;
}

/**
 * A unified account has one wallet, whose assets are listed with SPOT. MARGIN lists the debt, and FUTURES the unrealised profit and
 * loss of positions.
 */
export const bybitWallets: VenueWallets<Bybit> = {
  isShared: true,

  async assets(client, account) {
    await requireUnified(client);
    const answer = (await client.privateGetV5AccountWalletBalance({ accountType: 'UNIFIED' })) as {
      result?: { list?: { coin?: CoinRow[] }[] };
    };
    const coins = (answer.result?.list ?? []).flatMap(({ coin = [] }) => coin);
    return addUpAssets(
      coins.map(({ coin, spotBorrow, borrowAmount, accruedInterest, unrealisedPnl }) =>
        account === 'FUTURES'
          ? walletAsset(coin, { unrealised: unrealisedPnl })
          : walletAsset(coin, { borrowed: spotBorrow ?? borrowAmount, interest: accruedInterest }),
      ),
    );
  },

  entries: bybitEntries,
};

async function requireUnified(client: Bybit): Promise<void> {
  const [hasUnifiedMargin, isUnified] = (await client.isUnifiedEnabled()) as [boolean, boolean];
  if (hasUnifiedMargin || isUnified) return;
  const message = 'margin and futures of bybit are read with unified accounts only';
  throw exchangeRefused(message);
}
