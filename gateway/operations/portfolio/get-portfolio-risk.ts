import { analysisNamed } from '../../../compute/analyses.js';
import { field, fieldsOf, type Value, type Values } from '../../../compute/model/field.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import { neededCandles, tradeSides } from '../../../compute/model/risk-assessment.js';
import { tradingAccounts } from '../../../compute/model/trading-account.js';
import { assessRiskJob, leadingPair } from '../../../jobs/definitions/assess-risk.js';
import { analysisJob, type AnalysisOutput } from '../../../jobs/definitions/shared/analysis-job.js';
import { accountBalances } from '../../../storage/accounts/account-balances.js';
import { isDollar, quoteCurrency } from '../../../storage/candles/pegged.js';
import type { Series } from '../../../storage/candles/series.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { Caller, Deps } from '../../context.js';
import { candleFinders } from '../analysis/candle-finders.js';
import { describedOperation } from '../analysis/described-operation.js';
import { runJob } from '../run-job.js';
import { accountPositions, type AccountPosition } from './account-positions.js';
import { quoteOrNull } from './position-fields.js';
import { keyAndDigest } from '../analysis/series-input.js';

const analysis = analysisNamed('portfolio-risk');

/** Most assets whose candles are read. */
const mostAssets = 500;

const labelFields = {
  asset: field.text('asset symbol'),
  exchange: field.text('name of the exchange'),
  account: field.choice('account on which it is', tradingAccounts),
  side: field.choice('direction', tradeSides),
  value: quoteOrNull('value at the newest price; null while it is unknown'),
  riskProfile: field.nullable(
    field.choice('what assess_risk says of this side of the asset now; null with too few candles', [
      'tooRisky',
      'moderate',
      'low',
    ]),
  ),
};

const leverageField = field.nullable(
  field.number(
    'values of all assets but cash, debts without sign, as a multiple of the value; null without value',
  ),
);

const output = {
  ...fieldsOf(analysis.output),
  leverage: field.object('how far the positions exceed what the accounts are worth', {
    before: leverageField,
    after: leverageField,
  }),
  labels: field.list('each open position, the largest value first', field.object('a position', labelFields)),
  unpriced: field.list(
    'assets held that are no part of the figures: no 1d candles are stored',
    field.text('asset'),
  ),
  notes: field.list('what to know about the figures', field.text('a sentence')),
  source: field.text('market the candles come from'),
};

type Risk = AnalysisOutput<typeof analysis>;
type Params = Values<typeof analysis.params>;
type BookHolding = Value<(typeof analysis.params)['positions']>[number];

export const getPortfolioRisk = describedOperation({
  id: 'get-portfolio-risk',
  summary:
    'Value at risk, beta to BTC, concentration, correlation clusters and leverage of all your positions and cash, with a risk label of each position; before and after hypothetical trades.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 10,
  isLong: true,
  errors: ['not_enough_history', 'market_filling'],
  input: { changes: analysis.params.changes },
  output,
  async handle({ changes }, deps, caller) {
    const { userId } = caller.user!;
    const [{ positions }, money] = await Promise.all([
      accountPositions(userId, null, deps),
      moneyOf(userId, deps),
    ]);
    const { held, unpriced } = await bookOf(positions, money, deps);
    const [risk, labels] = await Promise.all([
      riskOf({ positions: held, changes, prices: await pricesNow(positions, changes, deps) }, deps, caller),
      labelsOf(positions, deps, caller),
    ]);
    return {
      payload: {
        ...risk,
        leverage: { before: leverageOf(risk.before), after: risk.after && leverageOf(risk.after) },
        labels,
        unpriced,
        notes: notesOf(positions, risk),
        source: deps.settings.MARKET,
      },
    };
  },
});

interface AccountMoney {
  /** What the accounts have of currencies that are worth one USDT, less what is owed of them. */
  cash: number;
  /** Exchanges whose MARGIN wallet is part of the cash: the cost of positions there is subtracted already. */
  margins: ReadonlySet<string>;
}

async function moneyOf(userId: string, { storage, settings }: Deps): Promise<AccountMoney> {
  const { balances } = await accountBalances(userId, storage, settings);
  const dollars = balances
    .filter(({ asset }) => isDollar(asset))
    .map(({ total, borrowed, interest }) => Number(total.minus(borrowed).minus(interest).toString()));
  const wallets = balances.filter(({ account, exchange }) => account === 'MARGIN' && exchange !== paperName);
  return {
    cash: dollars.reduce((sum, each) => sum + each, 0),
    margins: new Set(wallets.map(({ exchange }) => exchange)),
  };
}

/**
 * The holdings as the analysis takes them. A position on MARGIN or FUTURES is a quantity that was paid for, or sold, with
 * borrowed money: what it was worth at its entry is taken off the cash, or added to it for a short.
 */
async function bookOf(
  positions: readonly AccountPosition[],
  { cash, margins }: AccountMoney,
  { storage, settings }: Deps,
): Promise<{ held: BookHolding[]; unpriced: string[] }> {
  const series = await storage.series.traded(settings.MARKET, quoteCurrency, '1d');
  const known = new Set(series.map(({ base }) => base));
  const isKnown = ({ asset, tradeMarket }: AccountPosition) =>
    known.has(asset) && tradeMarket === quoteCurrency;
  const counted = positions.filter(isKnown).slice(0, mostAssets - 1);
  const quantityOf = ({ side, quantity }: AccountPosition) => (side === 'long' ? quantity : -quantity);
  const borrowed = counted
    .filter(({ account }) => account !== 'SPOT')
    .filter(({ account, exchange }) => account !== 'MARGIN' || !margins.has(exchange))
    .reduce((sum, each) => sum + quantityOf(each) * (each.averageEntry ?? 0), 0);
  const left = positions.filter((each) => !counted.includes(each)).map(({ asset }) => asset);
  return {
    held: [
      ...counted.map((each) => ({ asset: each.asset, quantity: quantityOf(each) })),
      ...(cash === borrowed ? [] : [{ asset: quoteCurrency, quantity: cash - borrowed }]),
    ],
    unpriced: [...new Set(left)].sort(),
  };
}

/** The latest prices: of positions those that their values are shown at. */
async function pricesNow(
  positions: readonly AccountPosition[],
  changes: Params['changes'],
  { exchanges }: Deps,
): Promise<Params['prices']> {
  const held = positions
    .filter(({ tradeMarket, price }) => tradeMarket === quoteCurrency && price !== null && price > 0)
    .map(({ asset, price }): [string, number] => [asset, price!]);
  const known = new Map(held);
  const others = changes.map(({ asset }) => asset).filter((asset) => !known.has(asset));
  const found = others.length === 0 ? [] : await exchanges.pricesOf(paperName, [...new Set(others)]);
  for (const [asset, { price }] of found) known.set(asset, price);
  return [...known].slice(0, mostAssets).map(([asset, price]) => ({ asset, price }));
}

async function riskOf(params: Params, deps: Deps, caller: Caller): Promise<Risk> {
  const { choice } = await candleFinders.assets(analysis, { tradeMarket: quoteCurrency }, params, deps);
  const data = { ...choice, params } as never;
  return (await runJob(analysisJob(analysis), data, deps, caller)).result;
}

/** The positions with what assess_risk says of them; positions with too few candles are not assessed. */
async function labelsOf(
  positions: readonly AccountPosition[],
  deps: Deps,
  caller: Caller,
): Promise<Values<typeof labelFields>[]> {
  const market = deps.settings.MARKET;
  const hourly = ({ base, quote }: PairSymbols) => deps.series.find({ market, base, quote, interval: '1h' });
  const leading = await hourly(leadingPair);
  const series = await Promise.all(
    positions.map(({ asset, tradeMarket }) => hourly({ base: asset, quote: tradeMarket })),
  );
  const isReady = (each: Series | null): each is Series => each !== null && each.count >= neededCandles;
  const asked = positions.flatMap(({ side }, n) => {
    const own = series[n];
    if (!isReady(own) || !isReady(leading)) return [];
    return [{ n, data: { ...keyAndDigest(own), leadingDigest: leading.digest, side } }];
  });
  const { requestId: traceId, user, signal } = caller;
  const payloads = asked.map(({ data }) => data);
  const answers = await deps.queues.runAll(assessRiskJob, payloads, { traceId, owner: user!.userId, signal });
  const profiles = new Map(asked.map(({ n }, index) => [n, answers[index].result.riskProfile]));
  return positions.map(({ asset, exchange, account, side, price, quantity }, n) => ({
    asset,
    exchange,
    account,
    side,
    value: price === null ? null : price * quantity,
    riskProfile: profiles.get(n) ?? null,
  }));
}

function leverageOf({ positions, value }: Risk['before']): number | null {
  const exposure = positions
    .filter(({ asset }) => asset !== quoteCurrency)
    .reduce((sum, each) => sum + Math.abs(each.value), 0);
  return value > 0 ? exposure / value : null;
}

/** What hypothetical trades would borrow or sell short, beyond what is owed already. */
function debtsOf({ before, after }: Risk): string[] {
  const quantityIn = ({ positions }: Risk['before'], asset: string) =>
    positions.find((each) => each.asset === asset)?.quantity ?? 0;
  return (after?.positions ?? []).flatMap(({ asset, quantity }) => {
    const more = Math.min(0, quantityIn(before, asset)) - quantity;
    if (more <= 0) return [];
    const amount = `${formatNumber(more)} ${asset}`;
    return [
      asset === quoteCurrency
        ? `the changes borrow ${amount}: the cash does not pay for them`
        : `the changes sell ${amount} short: more than is held`,
    ];
  });
}

function notesOf(positions: readonly AccountPosition[], risk: Risk): string[] {
  const elsewhere = positions.filter(({ account, exchange }) => account !== 'SPOT' && exchange !== paperName);
  const unread = [...new Set(elsewhere.map(({ exchange }) => exchange))].map(
    (exchange) =>
      `balances of MARGIN and FUTURES on ${exchange} are not read: of its positions only profit and loss count as value`,
  );
  return [...unread, ...debtsOf(risk)];
}
