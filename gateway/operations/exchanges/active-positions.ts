import Joi from 'joi';
import type { CostBasis } from '../../../storage/accounts/accounts.js';
import type { AccountStatus, Position } from '../../../storage/accounts/positions.js';
import { defineOperation } from '../../operation.js';
import { isoTime } from '../analysis/core-line.js';
import { date, figure, figureOrNull, list, oneOf, text } from '../output-fields.js';

export interface ShownPosition extends Omit<Position, 'pricedAt'> {
  costBasis: CostBasis;
  /** When the price was traded or quoted, ISO 8601. */
  priceTime: string | null;
}

export interface ActivePositions {
  positions: ShownPosition[];
  /** The time of the oldest of the prices, ISO 8601; null where there is none. */
  asOf: string | null;
  /** The accounts behind the positions: when they were last read, and what is wrong with one that could not be. */
  accounts: (Omit<AccountStatus, 'syncedAt'> & { syncedAt: string | null })[];
}

/** What the caller holds on all exchanges, as the market worker has last put it together: one read. */
export const activePositions = defineOperation<object, ActivePositions>({
  id: 'active-positions',
  summary: 'What you hold on all connected exchanges, at the price of the moment.',
  scope: 'user',
  cost: 1,
  isLight: true,
  input: Joi.object<object>({}),
  output: Joi.object<ActivePositions, true>({
    positions: list(
      Joi.object<ShownPosition, true>({
        coin: text('asset symbol'),
        exchange: text('name of the exchange'),
        quantity: figure('position size, in units of the asset'),
        currentPrice: figureOrNull('in quote currency; null while none is known'),
        change24h: figureOrNull('price change over 24 hours in percent'),
        pnl: figureOrNull(
          'unrealised profit or loss in quote currency; null while price or cost is not known',
        ),
        costBasis: oneOf(
          ['average', 'since_connection'],
          'whether the cost is that of the fills, or that of the moment the holding was first seen',
        ),
        priceTime: date('when the price was traded or quoted; null while none is known').allow(null),
      }),
      'one entry for an asset on an exchange',
    ),
    asOf: date('time of the oldest of the prices').allow(null),
    accounts: list(
      Joi.object<ActivePositions['accounts'][number], true>({
        exchange: text('name of the exchange'),
        syncedAt: date('when its account was last read whole; null before that').allow(null),
        fault: text('why it could not be read the last time; null where it was').allow(null),
      }),
      'the accounts behind the positions',
    ),
  }),
  leadsTo: [
    { to: 'chart', fields: { asset: 'payload/positions/0/coin' } },
    { to: 'portfolio', fields: { exchange: 'payload/positions/0/exchange' } },
  ],
  async handle(_input, { storage, exchanges }, { user }) {
    const { userId } = user!;
    const found = await storage.positions.find(userId);
    // Who looks has their positions kept current; without it they are so by minutes.
    exchanges.seen(userId).catch(() => undefined);
    const { positions = [], accounts = [] } = found ?? {};
    const times = positions.flatMap(({ pricedAt }) => pricedAt ?? []);
    return {
      payload: {
        positions: positions.map(({ pricedAt, ...position }) => ({
          ...position,
          priceTime: timeOrNull(pricedAt),
        })),
        asOf: times.length > 0 ? isoTime(Math.min(...times)) : null,
        accounts: accounts.map(({ syncedAt, ...account }) => ({
          ...account,
          syncedAt: timeOrNull(syncedAt),
        })),
      },
    };
  },
});

const timeOrNull = (timeMs: number | null): string | null => (timeMs === null ? null : isoTime(timeMs));
