import type { kucoin as Kucoin } from 'ccxt';
import { walletAsset } from '../../wallet-assets.js';
import type { WalletAsset } from '../../venue-wallets.js';

interface MarginRow {
  currency: string;
  total: string;
  available: string;
  hold: string;
  liabilityPrincipal?: string;
  liabilityInterest?: string;
}

/** The balances and debts of the isolated margin account of a pair. */
export interface IsolatedRow {
  /** KuCoin's name of the pair. */
  symbol: string;
  base: WalletAsset;
  quote: WalletAsset;
}

/** The balance and debt of each asset on cross margin. */
export async function crossRows(client: Kucoin): Promise<WalletAsset[]> {
  const { data } = (await client.privateGetMarginAccounts({ queryType: queryType(client, 'MARGIN') })) as {
    data?: { accounts?: MarginRow[] };
  };
  return (data?.accounts ?? []).map(assetOf);
}

/** The accounts of isolated margin. */
export async function isolatedRows(client: Kucoin): Promise<IsolatedRow[]> {
  const answer = await client.privateGetIsolatedAccounts({ queryType: queryType(client, 'ISOLATED') });
  const { data } = answer as {
    data?: { assets?: { symbol: string; baseAsset: MarginRow; quoteAsset: MarginRow }[] };
  };
  return (data?.assets ?? []).map(({ symbol, baseAsset, quoteAsset }) => ({
    symbol,
    base: assetOf(baseAsset),
    quote: assetOf(quoteAsset),
  }));
}

/** Orders of high frequency have margin accounts of their own. */
const queryType = (client: Kucoin, name: 'MARGIN' | 'ISOLATED'): string =>
  client.options.hf === true ? `${name}_V2` : name;

const assetOf = ({ currency, total, available, hold, ...owed }: MarginRow): WalletAsset =>
  walletAsset(currency, {
    total,
    free: available,
    locked: hold,
    borrowed: owed.liabilityPrincipal,
    interest: owed.liabilityInterest,
  });
