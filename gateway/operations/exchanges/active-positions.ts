import type { Position } from '../../../storage/accounts/positions.js';
import { defineOperation } from '../../operation.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { date, figure, figureOrNull, list, oneOf, text, answerOf } from '../output-fields.js';

export const activePositions = defineOperation({
  id: 'active-positions',
  summary: 'Your positions on all connected exchanges, at current prices.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  isLight: true,
  output: answerOf({
    positions: list(
      answerOf({
        coin: text('asset symbol'),
        exchange: text('name of the exchange'),
        quantity: figure('position size, in units of the asset'),
        currentPrice: figureOrNull('in quote currency; null while the price is unknown'),
        change24h: figureOrNull('price change over 24 hours in percent'),
        pnl: figureOrNull('unrealised profit or loss in quote currency; null while price or cost is unknown'),
        costBasis: oneOf(
          ['average', 'since_connection'],
          'cost from the fills (average), or from the price when the holding was first seen (since_connection)',
        ),
        priceTime: date('when the price was traded or quoted; null while the price is unknown').allow(null),
      }),
      'one entry per asset and exchange',
    ),
    asOf: date('time of the oldest price; null without positions').allow(null),
    accounts: list(
      answerOf({
        exchange: text('name of the exchange'),
        syncedAt: date('time of the latest complete read of the account; null before the first').allow(null),
        fault: text('why the latest read failed; null if it succeeded').allow(null),
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
    // Positions of users who look at them are refreshed more often. A failure here only means the slower refresh.
    exchanges.seen(userId).catch(() => undefined);
    const { positions = [], accounts = [] } = found ?? {};
    const asOf = positions.reduce((oldest, { pricedAt }) => Math.min(oldest, pricedAt ?? Infinity), Infinity);
    return {
      payload: {
        positions: positions.map(toOutput),
        asOf: asOf === Infinity ? null : utcTime(asOf),
        accounts: accounts.map(({ exchange, syncedAt, fault }) => ({
          exchange,
          syncedAt: timeOrNull(syncedAt),
          fault,
        })),
      },
    };
  },
});

/** Every field by its name: copying the rest of an object takes three times as long. */
const toOutput = (position: Position) => ({
  coin: position.coin,
  exchange: position.exchange,
  quantity: position.quantity,
  currentPrice: position.currentPrice,
  change24h: position.change24h,
  pnl: position.pnl,
  costBasis: position.costBasis,
  priceTime: timeOrNull(position.pricedAt),
});

const timeOrNull = (timeMs: number | null): string | null => (timeMs === null ? null : utcTime(timeMs));
