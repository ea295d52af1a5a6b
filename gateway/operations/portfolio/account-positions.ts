import { Decimal } from '../../../compute/model/decimal.js';
import { fieldError } from '../../../compute/model/errors.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import type { Price } from '../../../compute/model/price.js';
import type { TradeSide } from '../../../compute/model/risk-assessment.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';
import type { AccountStatus, Position } from '../../../storage/accounts/positions.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import { marginIdOf, type StoredMargin } from '../../../storage/exchanges/paper/margin/stored-margin.js';
import type { LeveragedExecution } from '../../../storage/ledger/open-executions.js';
import type { Deps } from '../../context.js';

/** What a user holds of an asset on an account: a holding on SPOT, a position on MARGIN or FUTURES. Money is in quote units. */
export interface AccountPosition {
  exchange: string;
  account: TradingAccount;
  asset: string;
  tradeMarket: string;
  side: TradeSide;
  /** Above 0. */
  quantity: number;
  /** Null while price or cost is unknown. */
  averageEntry: number | null;
  price: number | null;
  /** Percent over the last 24 hours. */
  change24h: number | null;
  /** Unrealised profit; null while price or cost is unknown. */
  pnl: number | null;
  /** When the price was traded or quoted, in ms; null without a price. */
  pricedAt: number | null;
}

/** The open positions of a user, the largest value first, and the accounts on which they may be. */
export interface AccountPositions {
  positions: AccountPosition[];
  accounts: AccountStatus[];
}

/** A position without its price. */
interface UnpricedPosition extends Pick<
  AccountPosition,
  'exchange' | 'account' | 'asset' | 'tradeMarket' | 'side'
> {
  quantity: Decimal;
  /** What it was worth when it was entered. */
  entryValue: Decimal;
}

type Tools = Pick<Deps, 'storage' | 'exchanges'>;

/** Every open position of a user on all exchanges, or on one. Throws `invalid_input` for an unknown exchange. */
export async function accountPositions(
  userId: string,
  exchange: string | null,
  { storage, exchanges }: Tools,
): Promise<AccountPositions> {
  if (exchange !== null) exchanges.exchanges.requireName(exchange);
  // A fill a moment ago counts. Where that can't be computed, the positions are those of some seconds ago.
  await exchanges.updater.refresh([userId], () => undefined).catch(() => undefined);
  const [stored, margins] = await Promise.all([
    storage.positions.find(userId),
    storage.paperMargin.ofIds(
      (['MARGIN', 'FUTURES'] as const).map((account) => marginIdOf({ userId, account })),
    ),
  ]);
  // Positions of users who look at them are refreshed more often. A failure here only means the slower refresh.
  exchanges.seen(userId).catch(() => undefined);
  const { positions = [], accounts = [] } = stored ?? {};
  requireConnected(exchange ?? undefined, accounts);
  const isAsked = (each: { exchange: string }) => exchange === null || each.exchange === exchange;
  const others = accounts.filter(isAsked).filter((each) => each.exchange !== paperName);
  const executions =
    others.length === 0
      ? []
      : await storage.openExecutions.leveraged(
          [userId],
          others.map((each) => each.exchange),
        );
  const leveraged = [...margins.flatMap(paperPositions), ...addUp(executions.map(heldByExecution))];
  const shown = [...positions.map(spotPosition), ...(await priced(leveraged.filter(isAsked), { exchanges }))];
  return {
    positions: shown.filter(isAsked).sort((one, other) => valueOf(other) - valueOf(one)),
    accounts: accounts.filter(isAsked),
  };
}

/** Throws `invalid_input` for an exchange without a connection; the paper account is always there. */
export function requireConnected(
  exchange: string | undefined,
  accounts: readonly AccountStatus[] = [],
): void {
  const connected = [...new Set([paperName, ...accounts.map((each) => each.exchange)])];
  if (exchange === undefined || connected.includes(exchange)) return;
  const allowed = connected.join(', ');
  throw fieldError(
    'exchange',
    `no account on ${exchange} is connected; connected are ${allowed}`,
    'invalid_input',
    { allowed },
  );
}

const valueOf = ({ quantity, price }: AccountPosition): number => quantity * (price ?? 0);

function spotPosition({
  coin,
  exchange,
  quantity,
  currentPrice,
  change24h,
  pnl,
  pricedAt,
}: Position): AccountPosition {
  const isKnown = currentPrice !== null && pnl !== null && quantity > 0;
  return {
    exchange,
    account: 'SPOT',
    asset: coin,
    tradeMarket: quoteCurrency,
    side: 'long',
    quantity,
    averageEntry: isKnown ? (currentPrice * quantity - pnl) / quantity : null,
    price: currentPrice,
    change24h,
    pnl,
    pricedAt,
  };
}

const paperPositions = ({ account, state }: StoredMargin): UnpricedPosition[] =>
  state.positions.map(({ pair, quantity, entryValue }) => ({
    exchange: paperName,
    account,
    asset: pair.base,
    tradeMarket: pair.quote,
    side: quantity.sign > 0 ? 'long' : 'short',
    quantity: quantity.sign > 0 ? quantity : Decimal.zero.minus(quantity),
    entryValue,
  }));

/** The position of an execution. All its entries together paid `entryValue`; the quantity still held has its share of that. */
function heldByExecution({ exchange, account, pair, state }: LeveragedExecution): UnpricedPosition {
  const { base, quote } = parsePair(pair)!;
  const [quantity, entered] = [Decimal.read(state.position.quantity), Decimal.read(state.position.entered)];
  const value = Decimal.read(state.position.entryValue).times(quantity);
  return {
    exchange,
    account,
    asset: base,
    tradeMarket: quote,
    side: state.side,
    quantity,
    entryValue: entered.sign === 0 ? Decimal.zero : value.dividedBy(entered, 18, 'half-even'),
  };
}

/** One position for each account, pair and side. */
const addUp = (parts: readonly UnpricedPosition[]): UnpricedPosition[] =>
  [
    ...groupBy(parts, ({ exchange, account, asset, tradeMarket, side }) =>
      [exchange, account, asset, tradeMarket, side].join(' '),
    ).values(),
  ].map((same) => ({
    ...same[0],
    quantity: same.reduce((sum, each) => sum.plus(each.quantity), Decimal.zero),
    entryValue: same.reduce((sum, each) => sum.plus(each.entryValue), Decimal.zero),
  }));

/** Finds the price of each row on its exchange. */
export async function priceFinder<Row extends { exchange: string }>(
  rows: readonly Row[],
  assetOf: (row: Row) => string,
  { exchanges }: Pick<Deps, 'exchanges'>,
): Promise<(row: Row) => Price | null> {
  const found = [...groupBy(rows, ({ exchange }) => exchange)].map(
    async ([exchange, same]) => [exchange, await exchanges.pricesOf(exchange, same.map(assetOf))] as const,
  );
  const prices = new Map(await Promise.all(found));
  return (row) => prices.get(row.exchange)?.get(assetOf(row)) ?? null;
}

async function priced(
  positions: readonly UnpricedPosition[],
  tools: Pick<Deps, 'exchanges'>,
): Promise<AccountPosition[]> {
  const priceOf = await priceFinder(positions, ({ asset }) => asset, tools);
  return positions.map((each) => atPrice(each, priceOf(each)));
}

/** Prices are in USDT: a position against another currency has none. */
function atPrice({ quantity, entryValue, ...about }: UnpricedPosition, found: Price | null): AccountPosition {
  const price = about.tradeMarket === quoteCurrency ? found : null;
  const [size, cost] = [Number(quantity.toString()), Number(entryValue.toString())];
  const gain = price && (price.price * size - cost) * (about.side === 'long' ? 1 : -1);
  return {
    ...about,
    quantity: size,
    averageEntry: cost / size,
    price: price?.price ?? null,
    change24h: price?.change24hPercent ?? null,
    pnl: gain,
    pricedAt: price?.time ?? null,
  };
}
