import Joi from 'joi';
import { decimalPattern } from '../../../compute/model/decimal.js';
import type { ConnectedExchange } from '../../../storage/accounts/user-exchanges.js';
import type { Deps } from '../../context.js';
import { isoTime } from '../analysis/core-line.js';
import { date, flag, list, oneOf, text } from '../output-fields.js';

export interface ShownExchange extends Omit<ConnectedExchange, 'connectedAt' | 'syncedAt'> {
  connectedAt: string | null;
  syncedAt: string | null;
}

export interface Exchanges {
  /** What is connected, the paper exchange first. Keys are never shown. */
  exchanges: ShownExchange[];
  /** The names of all that can be. */
  available: string[];
}

/** The shape of connected exchanges as they are answered. */
export const exchangesOutput = Joi.object<Exchanges, true>({
  exchanges: list(
    Joi.object<ShownExchange, true>({
      exchange: text('name of the exchange'),
      kind: oneOf(['paper', 'key'], 'kept here, or behind an API key'),
      mayTrade: flag('whether orders can be placed'),
      connectedAt: date('null for the paper exchange, which always is').allow(null),
      syncedAt: date('when its account was last read whole; null before that').allow(null),
      fault: text('why it could not be read the last time; null where it was').allow(null),
      cash: list(
        Joi.object<ShownExchange['cash'][number], true>({
          asset: text('currency, as in USDT'),
          quantity: text('a decimal').pattern(decimalPattern, 'a decimal'),
        }),
        'what there is of currencies, which are no positions',
      ),
    }),
    'what is connected, the paper exchange first',
  ),
  available: list(text('name of an exchange'), 'what can be connected'),
});

/** What a user has connected and what can be: the answer to all questions about exchanges. */
export async function exchangesOf(userId: string, { exchanges }: Deps): Promise<{ payload: Exchanges }> {
  const connected = await exchanges.list(userId);
  const time = (timeMs: number | null) => (timeMs === null ? null : isoTime(timeMs));
  return {
    payload: {
      exchanges: connected.map(({ connectedAt, syncedAt, ...rest }) => ({
        ...rest,
        connectedAt: time(connectedAt),
        syncedAt: time(syncedAt),
      })),
      available: exchanges.exchanges.names,
    },
  };
}
