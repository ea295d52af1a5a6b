import { decimalPattern } from '../../../compute/model/decimal.js';
import type { Deps } from '../../context.js';
import { defineOperation, type OperationResult } from '../../operation.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import {
  count,
  date,
  figureOrNull,
  flag,
  list,
  oneOf,
  text,
  type ValueOf,
  answerOf,
} from '../output-fields.js';

/** What listing, connecting and disconnecting exchanges answer. */
export type ExchangesOutput = ValueOf<typeof exchangesOutput>;

const cash = answerOf({
  asset: text('currency, as in USDT'),
  quantity: text('a decimal').pattern(decimalPattern, 'a decimal'),
});

const exchange = answerOf({
  exchange: text('name of the exchange'),
  kind: oneOf(['paper', 'key'], 'simulated by this service (paper), or reached with an API key (key)'),
  mayTrade: flag('whether orders can be placed'),
  objection: text(
    'why signals are not executed on this account, such as its kind, as it was found when it was connected; null if they can be',
  ).allow(null),
  permissions: answerOf({
    read: flag('whether it may read the account'),
    trade: flag('whether it may trade'),
    withdraw: flag('whether it may withdraw: keys that may are refused when they are connected'),
  })
    .required()
    .description('what the key may do'),
  connectedAt: date('null for the paper exchange, which is always connected').allow(null),
  syncedAt: date('time of the latest complete read of the account; null before the first').allow(null),
  fault: text('why the latest read of the account failed; null if it succeeded').allow(null),
  failures: count('readings in a row that failed'),
  clockLagMs: figureOrNull(
    "how far the exchange's clock was behind this service's in the latest answer, to the second, in ms; below 0: ahead; null if not known",
  ),
  pausedSubscriptions: count('your subscriptions on it that are paused; they stay so until you resume them'),
  cash: list(cash, 'balances in currencies, which are not positions'),
});

export const exchangesOutput = answerOf({
  exchanges: list(exchange, 'connected exchanges, the paper exchange first'),
  available: list(text('name of an exchange'), 'exchanges that can be connected'),
});

export const listExchanges = defineOperation({
  id: 'list-exchanges',
  summary: 'The exchanges you have connected, and those you can connect.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  output: exchangesOutput,
  leadsTo: [{ to: 'portfolio', fields: { exchange: 'payload/exchanges/0/exchange' } }],
  handle: async (_input, deps, { user }) => exchangesOf(user!.userId, deps),
});

/** The exchanges a user has connected and can connect. */
export async function exchangesOf(
  userId: string,
  { exchanges }: Deps,
): Promise<OperationResult<ExchangesOutput>> {
  const connected = await exchanges.list(userId);
  const time = (timeMs: number | null) => (timeMs === null ? null : utcTime(timeMs));
  return {
    payload: {
      exchanges: connected.map(({ connectedAt, syncedAt, ...rest }) => ({
        ...rest,
        mayTrade: rest.mayTrade && rest.objection === null,
        permissions: { read: true, trade: rest.mayTrade, withdraw: false },
        connectedAt: time(connectedAt),
        syncedAt: time(syncedAt),
      })),
      available: exchanges.exchanges.names,
    },
  };
}
