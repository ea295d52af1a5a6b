import { analysisNamed } from '../../../compute/analyses.js';
import { assetField } from '../../../compute/model/asset-fields.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import { field, type Values } from '../../../compute/model/field.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { isDollar, quoteCurrency } from '../../../storage/candles/pegged.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import { PaperVenue } from '../../../storage/exchanges/paper/paper-venue.js';
import type { OpenedExecution } from '../../../storage/signals/execution-reads.js';
import type { Caller, Deps } from '../../context.js';
import { describedOperation } from '../analysis/described-operation.js';
import { findSeries, keyAndDigest } from '../analysis/series-input.js';
import { runJob } from '../run-job.js';
import { exchangeFilterField } from './get-portfolio-status.js';
import { accountPositions, type AccountPosition } from './account-positions.js';
import {
  decimalText,
  positionFields,
  quoteOrNull,
  distanceFrom,
  levelFields,
  comingLevels,
  positionValues,
  type DistanceOf,
} from './position-fields.js';

/** Most fills of an answer. */
const mostFills = 200;

const fillFields = {
  at: field.text('when, ISO 8601'),
  orderId: field.text('client order id'),
  leg: field.text('part of the signal that it executes'),
  side: field.choice('direction', ['buy', 'sell']),
  quantity: decimalText('quantity'),
  price: decimalText('price'),
  baseFee: decimalText('fee in the asset'),
  quoteFee: decimalText('fee in quote currency'),
};

const feeFields = { asset: field.text('asset'), amount: decimalText('amount') };

const linkedFields = {
  parent_signal_id: field.text('id of the signal'),
  channel: field.text('id of the channel'),
  status: field.text('state of its execution'),
  held: decimalText('what it holds of the position'),
  averageEntry: quoteOrNull('average price of its entries; null before the first fill'),
  levels: field.list(
    'stop, targets and entries that are still to come',
    field.object('a level', levelFields),
  ),
};

const detailFields = {
  ...positionFields,
  liquidationPrice: field.nullable(
    decimalText('price at which the exchange closes it; null where no price does, or it is not known'),
  ),
  liquidationDistancePercent: field.nullable(
    field.number('how far that is from the newest price', { unit: 'percent' }),
  ),
  liquidationDistanceAtr: field.nullable(
    field.number('how far that is from the newest price', { unit: 'atr' }),
  ),
  signals: field.list('signals that hold a part of it or wait to', field.object('a signal', linkedFields)),
  fills: field.list(
    `fills of these signals, the newest first, at most ${mostFills}`,
    field.object('a fill', fillFields),
  ),
  fees: field.list('what these signals have paid so far', field.object('fees in an asset', feeFields)),
};

export const getPositionDetails = describedOperation({
  id: 'get-position-details',
  summary:
    'Your open position in an asset in full, on each account that has one: fills, entry, stop and targets with their distance, liquidation price, fees and signals.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 3,
  input: { asset: assetField, exchange: exchangeFilterField },
  output: {
    asset: field.text('asset symbol'),
    positions: field.list(
      'one for each account, the largest value first; empty without a position',
      field.object('a position', detailFields),
    ),
    atr: quoteOrNull('ATR(14) of the last closed 1d candle against USDT; null without enough candles'),
    source: field.text('market whose candles the ATR comes from'),
  },
  leadsTo: [
    {
      to: 'get-followed-signal',
      fields: { parent_signal_id: 'payload/positions/0/signals/0/parent_signal_id' },
    },
  ],
  async handle({ asset, exchange }, deps, caller) {
    const { userId } = caller.user!;
    const [{ positions: all }, executions] = await Promise.all([
      accountPositions(userId, exchange, deps),
      deps.storage.executionReads.openOf(userId, { asset, exchange }),
    ]);
    const own = all.filter((each) => each.asset === asset);
    // "None" would be a wrong answer to a misspelt symbol.
    if (own.length === 0 && executions.length === 0 && !isDollar(asset))
      await findSeries({ asset, interval: '1h', tradeMarket: quoteCurrency }, deps);
    const atr = own.length === 0 ? null : await atrOf(asset, deps, caller);
    const liquidation = await paperLiquidations(userId, own, deps);
    const positions = own.map((position) => {
      const linked = executions.filter((each) => isPartOf(each, position));
      const distanceOf = distanceFrom(position.price, position.tradeMarket === quoteCurrency ? atr : null);
      return detailsOf(position, linked, liquidation(position), distanceOf);
    });
    return { payload: { asset, positions, atr, source: deps.settings.MARKET } };
  },
});

const isPartOf = ({ exchange, account, pair }: OpenedExecution, position: AccountPosition): boolean =>
  exchange === position.exchange &&
  account === position.account &&
  // A holding on SPOT is one, whatever it was bought with.
  (account === 'SPOT' || pair === `${position.asset}/${position.tradeMarket}`);

function detailsOf(
  position: AccountPosition,
  linked: readonly OpenedExecution[],
  paperLiquidation: string | null,
  distanceOf: DistanceOf,
): Values<typeof detailFields> {
  const liquidationPrice = paperLiquidation ?? liquidationTold(linked);
  const away = liquidationPrice === null ? null : distanceOf(liquidationPrice);
  return {
    ...positionValues(position),
    liquidationPrice,
    liquidationDistancePercent: away?.distancePercent ?? null,
    liquidationDistanceAtr: away?.distanceAtr ?? null,
    signals: linked.map((execution) => {
      // Prices against another currency cannot be compared.
      const isSame = parsePair(execution.pair)!.quote === position.tradeMarket;
      return linkedSignal(execution, isSame ? distanceOf : distanceFrom(null, null));
    }),
    fills: fillsOf(linked).slice(0, mostFills),
    fees: feesOf(linked),
  };
}

/** The liquidation price that the exchange named last; null if it named none. */
function liquidationTold(linked: readonly OpenedExecution[]): string | null {
  const lines = linked.flatMap(({ events }) => events.filter(({ type }) => type === 'liquidation_price'));
  const price = lines.at(-1)?.figures.price ?? 'none';
  return price === 'none' ? null : price;
}

function linkedSignal(execution: OpenedExecution, distanceOf: DistanceOf): Values<typeof linkedFields> {
  const { signalId, channelId, status, state } = execution;
  const entered = Number(state?.position.entered ?? 0);
  return {
    parent_signal_id: signalId,
    channel: channelId,
    status,
    held: state?.position.quantity ?? '0',
    averageEntry: state && entered > 0 ? Number(state.position.entryValue) / entered : null,
    levels: comingLevels(execution, distanceOf),
  };
}

const fillsOf = (linked: readonly OpenedExecution[]): Values<typeof fillFields>[] =>
  linked
    .flatMap(({ orders }) =>
      orders.flatMap(({ clientOrderId, leg, side, fills }) =>
        fills.map(({ at, quantity, price, baseFee, quoteFee }) => ({
          at: at.toISOString(),
          orderId: clientOrderId,
          leg,
          side,
          quantity,
          price,
          baseFee,
          quoteFee,
        })),
      ),
    )
    .sort((one, other) => (one.at < other.at ? 1 : -1));

function feesOf(linked: readonly OpenedExecution[]): Values<typeof feeFields>[] {
  const sums = new Map<string, Decimal>();
  const add = (asset: string, amount: string) =>
    sums.set(asset, (sums.get(asset) ?? Decimal.zero).plus(Decimal.read(amount)));
  for (const { pair, orders } of linked) {
    const { base, quote } = parsePair(pair)!;
    for (const { baseFee, quoteFee, otherFees = [] } of orders.flatMap(({ fills }) => fills)) {
      add(base, baseFee);
      add(quote, quoteFee);
      for (const { asset, amount } of otherFees) add(asset, amount);
    }
  }
  return [...sums]
    .filter(([, amount]) => amount.sign !== 0)
    .map(([asset, amount]) => ({ asset, amount: amount.toString() }));
}

/** ATR(14) of the asset on 1d candles against USDT, as the analysis `volatility` tells it; null without enough candles. */
async function atrOf(asset: string, deps: Deps, caller: Caller): Promise<number | null> {
  const market = deps.settings.MARKET;
  const stored = await deps.series.find({ market, base: asset, quote: quoteCurrency, interval: '1d' });
  if (!stored) return null;
  const job = analysisJob(analysisNamed('volatility'));
  try {
    const { result } = await runJob(job, { ...keyAndDigest(stored), params: {} }, deps, caller);
    return result.atr.value;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_enough_history') return null;
    throw error;
  }
}

/** Where the paper exchange liquidates these positions. */
async function paperLiquidations(
  userId: string,
  positions: readonly AccountPosition[],
  { storage, redis, settings }: Deps,
): Promise<(position: AccountPosition) => string | null> {
  const isPaper = ({ exchange, account }: AccountPosition) => exchange === paperName && account !== 'SPOT';
  if (!positions.some(isPaper)) return () => null;
  const { PAPER_BALANCE: startingBalance, MARKET: market } = settings;
  const found = await new PaperVenue({ storage, redis, startingBalance, market }).positions(userId);
  return (position) => {
    if (!isPaper(position)) return null;
    const same = found.find(
      ({ account, pair }) =>
        account === position.account && pair.base === position.asset && pair.quote === position.tradeMarket,
    );
    return same?.liquidationPrice?.toString() ?? null;
  };
}
