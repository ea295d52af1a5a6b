import { trendStates, type TrendState } from '../../../compute/model/core-line.js';
import { field, type Values } from '../../../compute/model/field.js';
import { intervals, type Interval } from '../../../compute/model/interval.js';
import type { TradeSide } from '../../../compute/model/risk-assessment.js';
import { seriesId } from '../../../storage/candles/series.js';
import type { Deps } from '../../context.js';
import { describedOperation } from '../analysis/described-operation.js';
import { accountPositions, type AccountPosition } from './account-positions.js';
import { positionFields, positionValues } from './position-fields.js';

/** An exchange to which an answer is restricted. */
export const exchangeFilterField = field.nullable(
  field.text('only accounts of this exchange, as in PAPER; null: of all', {
    maxLength: 40,
    means: 'exchange',
  }),
  { default: null },
);

/** When an account was read last. */
export const accountStatusField = field.object('an account', {
  exchange: field.text('name of the exchange'),
  syncedAt: field.nullable(
    field.time('time of the latest complete read; null before the first, and for the paper account'),
  ),
  fault: field.nullable(field.text('why the latest read failed; null if it succeeded')),
});

const stateOn = (interval: Interval) =>
  field.nullable(
    field.choice(`trend state of the asset on ${interval} candles; null where it has none`, trendStates),
  );

const statusFields = {
  ...positionFields,
  state1h: stateOn('1h'),
  state4h: stateOn('4h'),
  state1d: stateOn('1d'),
  conflict: field.flag(
    'whether a state opposes the side: distribute with a long, or accumulate with a short, on any interval',
  ),
  conflictsOn: field.list('intervals whose state opposes the side', field.choice('an interval', intervals)),
};

type PositionRow = Values<typeof statusFields>;

const output = {
  positions: field.list('the largest value first', field.object('a position', statusFields)),
  summary: field.object('the positions of the exchange, or of all, with and without conflicts', {
    count: field.count('positions'),
    conflicts: field.count('positions with a conflict'),
    value: field.number('sum of the known values', { unit: 'quote' }),
    pnl: field.number('sum of the known profits and losses', { unit: 'quote' }),
  }),
  asOf: field.nullable(field.time('time of the oldest price; null without a price')),
  statesAsOf: field.nullable(
    field.time('close time of the oldest candle that a state rests on; null without a state'),
  ),
  source: field.text('market whose candles the states come from'),
  accounts: field.list('the accounts behind the positions', accountStatusField),
};

/** Every open position joined with the trend states of its asset. It reads what is stored, and computes nothing. */
export const getPortfolioStatus = describedOperation({
  id: 'get-portfolio-status',
  summary:
    'Every open position on all accounts, with the trend state of its asset on 1h, 4h and 1d, and whether one opposes its side.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  isLight: true,
  input: {
    exchange: exchangeFilterField,
    onlyConflicts: field.flag('only positions with a conflict', { default: false }),
  },
  output,
  leadsTo: [{ to: 'get-position-details', fields: { asset: 'payload/positions/0/asset' } }],
  async handle({ exchange, onlyConflicts }, deps, { user }) {
    const { positions, accounts } = await accountPositions(user!.userId, exchange, deps);
    const { stateOf, statesAsOf } = await statesOf(positions, deps);
    const rows = positions.map((position) => rowOf(position, stateOf(position)));
    const times = positions.flatMap(({ pricedAt }) => pricedAt ?? []);
    return {
      payload: {
        positions: onlyConflicts ? rows.filter(({ conflict }) => conflict) : rows,
        summary: {
          count: rows.length,
          conflicts: rows.filter(({ conflict }) => conflict).length,
          value: rows.reduce((sum, { value }) => sum + (value ?? 0), 0),
          pnl: rows.reduce((sum, { pnl }) => sum + (pnl ?? 0), 0),
        },
        asOf: times.length === 0 ? null : Math.min(...times),
        statesAsOf,
        source: deps.settings.MARKET,
        accounts,
      },
    };
  },
});

type States = Record<Interval, TrendState | null>;

/** The stored states of the assets of positions, in one read. */
async function statesOf(positions: readonly AccountPosition[], { settings, storage }: Deps) {
  const market = settings.MARKET;
  const keyOf = ({ asset, tradeMarket }: AccountPosition, interval: Interval) => ({
    market,
    base: asset,
    quote: tradeMarket,
    interval,
  });
  const keys = positions.flatMap((position) => intervals.map((interval) => keyOf(position, interval)));
  const found = await storage.coreLines.states(keys);
  const times = [...found.values()].map(({ asOf }) => asOf);
  return {
    stateOf: (position: AccountPosition) =>
      Object.fromEntries(
        intervals.map((interval) => [
          interval,
          found.get(seriesId(keyOf(position, interval)))?.state ?? null,
        ]),
      ) as States,
    statesAsOf: times.length === 0 ? null : Math.min(...times),
  };
}

function rowOf(position: AccountPosition, states: States): PositionRow {
  const conflictsOn = intervals.filter((interval) => opposes(states[interval], position.side));
  return {
    ...positionValues(position),
    state1h: states['1h'],
    state4h: states['4h'],
    state1d: states['1d'],
    conflict: conflictsOn.length > 0,
    conflictsOn,
  };
}

const opposes = (state: TrendState | null, side: TradeSide): boolean =>
  state === (side === 'long' ? 'distribute' : 'accumulate');
