import type { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import { pairName, parsePair } from '../../compute/model/market-pair.js';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';
import type { Account, StoredWallet, StoredWalletAsset } from '../../storage/accounts/accounts.js';
import { isDollar } from '../../storage/candles/pegged.js';
import type { ExchangeAccount } from '../../storage/exchanges/exchange-account.js';
import type { LedgerEntry, WalletAsset } from '../../storage/exchanges/venue-wallets.js';
import type { Storage } from '../../storage/index.js';
import type { StoredLedgerEntry, WalletName } from '../../storage/ledger/ledger-entries.js';

export interface ReadWalletsTools {
  storage: Pick<Storage, 'ledgerEntries' | 'openExecutions' | 'unbooked'>;
  /** When the account was connected, in ms since 1970. */
  connectedAt: number;
  /** The prices of assets in the quote currency; those without a price are missing. */
  pricesOf: (assets: readonly string[]) => Promise<ReadonlyMap<string, Decimal>>;
}

const accounts: readonly PositionAccount[] = ['MARGIN', 'FUTURES'];

/** Exchanges list a ledger line at most this long after its time. So each reading starts that much earlier; a line is stored once. */
const listingDelayMs = 3_600_000;
/** How often the ledger of an empty wallet is read. */
const emptyEveryMs = 6 * 3_600_000;

/**
 * Reads the MARGIN and FUTURES wallets of an account and stores the lines of their ledgers. A wallet that cannot be read stays
 * as it was, and its `fault` says why; one that the key does not open is empty. Undefined for an account with SPOT only.
 */
export async function readWallets(
  account: Account,
  opened: ExchangeAccount,
  tools: ReadWalletsTools,
): Promise<StoredWallet[] | undefined> {
  if (!opened.wallet) return undefined;
  const wallets: StoredWallet[] = [];
  for (const name of accounts) {
    const known = account.wallets?.find((each) => each.account === name) ?? unread(name, opened);
    try {
      wallets.push(await readWallet({ ...account, account: name }, known, opened, tools));
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'bug') throw error;
      wallets.push(isNotOpened(error, known) ? emptyNow(known, opened) : { ...known, fault: error.message });
    }
  }
  return wallets;
}

const unread = (account: PositionAccount, { hasSharedWallet = false }: ExchangeAccount): StoredWallet => ({
  account,
  assets: [],
  transferred: [],
  coversSpot: hasSharedWallet && account === 'FUTURES',
  since: null,
  readAt: null,
  ledgerAt: null,
  fault: 'it was not read yet',
});

/** Whether the user has no such account, or the key does not open it: SPOT was read with the same key. */
const isNotOpened = ({ details: { reason } }: AppError, { assets }: StoredWallet): boolean =>
  assets.length === 0 && (reason === 'absent' || reason === 'key');

function emptyNow(known: StoredWallet, { clockLagMs = 0 }: ExchangeAccount): StoredWallet {
  const readAt = Date.now() - clockLagMs;
  return { ...known, since: known.since ?? readAt, readAt, fault: null };
}

async function readWallet(
  { userId, exchange, account }: WalletName,
  known: StoredWallet,
  opened: ExchangeAccount,
  tools: ReadWalletsTools,
): Promise<StoredWallet> {
  const { ledgerEntries, openExecutions } = tools.storage;
  const sinceMs = known.ledgerAt === null ? tools.connectedAt : known.ledgerAt - listingDelayMs;
  const traded = await openExecutions.pairsSince(userId, { exchange, account }, new Date(sinceMs));
  const { assets, entries, readAt } = await opened.wallet!(account, {
    sinceMs,
    pairs: traded.flatMap((pair) => parsePair(pair) ?? []),
    evenIfEmpty: isLedgerDue(known),
  });
  const wallet = { userId, exchange, account };
  if (entries) await storeEntries(wallet, { entries, ledgerAt: known.ledgerAt ?? 0 }, tools);
  return {
    ...known,
    assets: assets.map(storedAsset),
    transferred: entries ? await ledgerEntries.transferred(wallet) : known.transferred,
    since: known.since ?? readAt,
    readAt,
    ledgerAt: entries ? readAt : known.ledgerAt,
    fault: null,
  };
}

/** Whether the ledger has to be read. An empty wallet may have been filled and emptied since the last reading. */
const isLedgerDue = ({ assets, ledgerAt }: StoredWallet): boolean =>
  assets.length > 0 || ledgerAt === null || ledgerAt < Date.now() - emptyEveryMs;

/** Stores new lines. Trades that were booked without their funding are booked again. */
async function storeEntries(
  wallet: WalletName,
  { entries, ledgerAt }: { entries: readonly LedgerEntry[]; ledgerAt: number },
  { storage, pricesOf }: ReadWalletsTools,
): Promise<void> {
  const others = new Set(entries.map(({ asset }) => asset).filter((asset) => !isDollar(asset)));
  const prices = others.size === 0 ? new Map<string, Decimal>() : await pricesOf([...others]);
  const read = entries.map((entry) => storedEntry(wallet, entry, prices));
  const fresh = await storage.ledgerEntries.add(read);
  // Lines after `ledgerAt` that are not fresh were stored by a reading that was cut off before it marked their trades.
  const changing = [...fresh, ...read.filter(({ at }) => at.getTime() > ledgerAt)];
  const times = changing.filter(({ kind }) => kind !== 'transfer').map(({ at }) => at.getTime());
  if (times.length > 0)
    await storage.unbooked.markEndedSince(wallet, new Date(Math.min(...times)), new Date());
}

const storedEntry = (
  wallet: WalletName,
  { id, kind, asset, amount, pair, basis, at }: LedgerEntry,
  prices: ReadonlyMap<string, Decimal>,
): StoredLedgerEntry => ({
  ...wallet,
  id,
  kind,
  asset,
  amount: amount.toString(),
  pair: pair && pairName(pair),
  basis: basis?.toString() ?? null,
  price: isDollar(asset) ? '1' : (prices.get(asset)?.toString() ?? null),
  at: new Date(at),
});

const storedAsset = ({ asset, ...amounts }: WalletAsset): StoredWalletAsset => ({
  asset,
  total: amounts.total.toString(),
  free: amounts.free.toString(),
  locked: amounts.locked.toString(),
  borrowed: amounts.borrowed.toString(),
  interest: amounts.interest.toString(),
  unrealised: amounts.unrealised.toString(),
});
