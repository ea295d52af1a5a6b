import {
  walletFlow,
  accountFlow,
  accountValue,
  addUpAmounts,
  type WalletState,
  type HeldAmount,
} from '../../compute/ledger/wallet-flow.js';
import { Decimal } from '../../compute/model/decimal.js';
import { parsePair } from '../../compute/model/market-pair.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import { decimalOf } from '../../storage/accounts/position-updater.js';
import type { Account } from '../../storage/accounts/accounts.js';
import { isDollar, quoteCurrency } from '../../storage/candles/pegged.js';
import type { LatestPrices } from '../../storage/candles/latest-prices.js';
import { paperName } from '../../storage/exchanges/exchange-names.js';
import type { StoredMargin } from '../../storage/exchanges/paper/margin/stored-margin.js';
import type { AccountTrade } from '../../storage/ledger/account-fills.js';
import type { EquitySnapshot, SnapshotWallet } from '../../storage/ledger/equity.js';
import { liveWallets, paperWallets, unreadWallets, type NamedWallet } from './wallet-states.js';

const benchmarkAsset = 'BTC';

/** The facts that the snapshot of an account needs. */
export interface SnapshotScene {
  day: string;
  at: Date;
  /** The last snapshot of the account; null for the first. */
  before: EquitySnapshot | null;
  /** Trades on SPOT of the account since its last snapshot. */
  trades: readonly AccountTrade[];
  /** The margin and futures accounts of its user on the paper exchange. */
  margins: readonly StoredMargin[];
  market: string;
  prices: Pick<LatestPrices, 'find'>;
  paperBalance: string;
}

/** The present value of an account, and what was paid in or out since its last snapshot. */
export async function snapshotOf(
  account: Account,
  { day, at, before, trades, margins, market, prices: latest, paperBalance }: SnapshotScene,
): Promise<EquitySnapshot> {
  const { userId, exchange, fault } = account;
  const held = heldIn(account);
  const own = exchange === paperName ? margins : [];
  const { prices, benchmark } = await pricesOf(latest, market, [
    ...held.map(assetOf),
    ...(before ? before.assets.map(({ asset }) => asset) : []),
    ...own.flatMap(({ state }) => state.positions.map(({ pair }) => pair.base)),
    ...(account.wallets ?? []).flatMap(({ assets, transferred }) => [...assets, ...transferred]).map(assetOf),
  ]);
  const wallets = exchange === paperName ? paperWallets(own, prices, paperBalance) : liveWallets(account);
  const { value, unpriced } = accountValue(
    addUpAmounts([...held, ...(wallets ?? []).flatMap(({ worth }) => worth)]),
    prices,
  );
  const flow = before
    ? flowSince(before, { held, wallets: wallets ?? [], traded: trades.flatMap(changesOf) }, prices)
    : Decimal.zero;
  const staleWallets = (wallets ?? []).filter(({ isStale }) => isStale).map((each) => each.account);
  const stale: TradingAccount[] = fault === null ? staleWallets : ['SPOT', ...staleWallets];
  const unread = unreadWallets(account.wallets);
  return {
    userId,
    exchange,
    day,
    at,
    value: value.toString(),
    assets: held.map(({ asset, quantity }) => ({ asset, quantity: quantity.toString() })),
    flow: flow.toString(),
    ...(wallets && { wallets: wallets.map(storedWallet) }),
    ...(stale.length > 0 && { stale }),
    ...(unread.length > 0 && { unread }),
    unpriced: [...new Set([...unpriced, ...(wallets ?? []).flatMap((each) => each.unpriced)])].sort(),
    benchmark: benchmark?.toString() ?? null,
  };
}

/** What was paid into an account (above 0) or out of it since a snapshot, at present prices. */
function flowSince(
  before: EquitySnapshot,
  { held, wallets, traded }: { held: HeldAmount[]; wallets: readonly NamedWallet[]; traded: HeldAmount[] },
  prices: ReadonlyMap<string, Decimal>,
): Decimal {
  const known = new Map(before.wallets?.map((each) => [each.account, walletState(each)]));
  const moved = wallets.flatMap((wallet) => walletFlow(known.get(wallet.account), wallet));
  const isToldByWallet = wallets.some(
    ({ account, coversSpot, since }) => coversSpot && since !== null && known.get(account)?.since === since,
  );
  const onSpot = isToldByWallet ? Decimal.zero : accountFlow(amounts(before.assets), held, traded, prices);
  return onSpot.plus(accountFlow([], moved, [], prices));
}

const walletState = ({ since, worth, transferred }: SnapshotWallet): WalletState => ({
  since,
  worth: amounts(worth),
  transferred: amounts(transferred),
});

const storedWallet = ({ account, since, worth, transferred }: NamedWallet): SnapshotWallet => ({
  account,
  since,
  worth: worth.map(amountText),
  transferred: transferred.map(amountText),
});

const amountText = ({ asset, quantity }: HeldAmount) => ({ asset, quantity: quantity.toString() });

const assetOf = ({ asset }: { asset: string }): string => asset;

const amounts = (held: readonly { asset: string; quantity: string }[]): HeldAmount[] =>
  held.map(({ asset, quantity }) => ({ asset, quantity: Decimal.read(quantity) }));

const heldIn = ({ cash, holdings }: Account): HeldAmount[] =>
  amounts([...cash, ...holdings]).filter(({ quantity }) => quantity.sign !== 0);

/** The changes that a trade has made to the amounts of an account. */
function changesOf({ pair, side, fill }: AccountTrade): HeldAmount[] {
  const { base, quote } = parsePair(pair)!;
  const [quantity, price, baseFee, quoteFee] = [fill.quantity, fill.price, fill.baseFee, fill.quoteFee].map(
    (text) => Decimal.read(text),
  );
  const signed = (amount: Decimal, isGain: boolean) => (isGain ? amount : amount.negated());
  return [
    { asset: base, quantity: signed(quantity, side === 'buy').minus(baseFee) },
    { asset: quote, quantity: signed(quantity.times(price), side === 'sell').minus(quoteFee) },
    ...(fill.otherFees ?? []).map(({ asset, amount }) => ({
      asset,
      quantity: Decimal.read(amount).negated(),
    })),
  ];
}

async function pricesOf(
  latest: SnapshotScene['prices'],
  market: string,
  names: readonly string[],
): Promise<{ prices: Map<string, Decimal>; benchmark: Decimal | null }> {
  const assets = [...new Set([benchmarkAsset, ...names])];
  const found = await latest.find(
    market,
    assets.filter((asset) => asset !== quoteCurrency),
  );
  const prices = new Map([...found].map(([asset, { price }]) => [asset, decimalOf(price)]));
  for (const asset of assets) if (isDollar(asset) && !prices.has(asset)) prices.set(asset, Decimal.one);
  return { prices, benchmark: prices.get(benchmarkAsset) ?? null };
}
