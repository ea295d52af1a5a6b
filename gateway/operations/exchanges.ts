import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { decimalPattern } from '../../compute/model/decimal.js';
import { paperName } from '../../storage/exchanges/exchange-names.js';
import type { ConnectedExchange, HoldingRequest } from '../../storage/exchanges/user-exchanges.js';
import type { Deps } from '../context.js';
import { defineOperation } from '../operation.js';
import { tryElsewhere } from '../try-key.js';
import { isoTime } from './core-line.js';
import { date, flag, list, oneOf, text } from './output-fields.js';

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

export interface ConnectInput {
  exchange: string;
  apiKey?: string;
  apiSecret?: string;
  passphrase?: string;
  holdings?: HoldingRequest[];
}

const output = Joi.object<Exchanges, true>({
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

/** The exchanges the caller has connected. */
export const listExchanges = defineOperation<object, Exchanges>({
  id: 'list-exchanges',
  summary: 'The exchanges you have connected, and those you can connect.',
  scope: 'user',
  cost: 1,
  input: Joi.object<object>({}),
  output,
  leadsTo: [{ to: 'portfolio', fields: { exchange: 'payload/exchanges/0/exchange' } }],
  handle: async (_input, deps, { user }) => answer(user!.userId, deps),
});

const exchange = () => Joi.string().max(20).required();
const secret = () =>
  Joi.string()
    .max(4096)
    .pattern(/^[\x20-\x7e\n\r]+$/, 'printable text');

/** Connects an exchange with a key that reads and may not withdraw; or gives holdings to the paper exchange. */
export const connectExchange = defineOperation<ConnectInput, Exchanges>({
  id: 'connect-exchange',
  summary:
    'Connects an exchange by an API key that may not withdraw; or gives holdings to the paper exchange.',
  scope: 'user',
  cost: 10,
  input: Joi.object<ConnectInput>({
    exchange: exchange().description('one of the available exchanges'),
    apiKey: secret().description('key that may read, and trade if signals are to be executed'),
    apiSecret: secret().description('secret of the key; it is kept sealed and never shown'),
    passphrase: secret().description('third word of a key, where the exchange has one'),
    holdings: Joi.array()
      .items(
        Joi.object<HoldingRequest, true>({
          asset: Joi.string()
            .pattern(/^[A-Z0-9]{1,20}$/, 'an asset symbol')
            .required()
            .description('asset symbol, as in BTC'),
          quantity: Joi.string()
            .max(40)
            .pattern(decimalPattern, 'a decimal like "12.5"')
            .required()
            .description('how much of it, as a decimal'),
        }),
      )
      .min(1)
      .max(100)
      .unique('asset')
      .description('with PAPER: what the account is given, at the price of the moment'),
  }),
  output,
  errors: ['already_exists', 'exchange_refused', 'exchange_unavailable'],
  leadsTo: [{ to: 'disconnect-exchange', fields: { exchange: 'input/exchange' } }],
  async handle(input, deps, caller) {
    const { userId } = caller.user!;
    const { exchange: name, apiKey, apiSecret, passphrase, holdings } = input;
    deps.exchanges.exchanges.requireName(name);
    if (name === paperName) {
      refuse({ apiKey, apiSecret, passphrase }, `is not taken with ${paperName}`);
      await deps.exchanges.give(userId, holdings ?? missing('holdings', name));
    } else {
      refuse({ holdings }, `is taken with ${paperName} alone`);
      const key = {
        apiKey: apiKey ?? missing('apiKey', name),
        secret: apiSecret ?? missing('apiSecret', name),
        passphrase: passphrase ?? null,
      };
      await deps.exchanges.connect(userId, name, key, tryElsewhere(deps, caller));
    }
    return answer(userId, deps);
  },
});

/** Forgets a connection and its key. */
export const disconnectExchange = defineOperation<{ exchange: string }, Exchanges>({
  id: 'disconnect-exchange',
  summary: 'Forgets a connected exchange, its key and what was read with it.',
  scope: 'user',
  cost: 1,
  input: Joi.object<{ exchange: string }, true>({
    exchange: exchange().description('name of a connected exchange'),
  }),
  output,
  async handle({ exchange: name }, deps, { user }) {
    await deps.exchanges.disconnect(user!.userId, name);
    return answer(user!.userId, deps);
  },
});

async function answer(userId: string, { exchanges }: Deps): Promise<{ payload: Exchanges }> {
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

const missing = (field: string, name: string): never => {
  throw new AppError('invalid_input', `"${field}" is required with "${name}"`, { details: { field } });
};

/** Throws for a field that was given and does not belong there. */
function refuse(fields: Readonly<Record<string, unknown>>, why: string): void {
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (field !== undefined) throw new AppError('invalid_input', `"${field}" ${why}`, { details: { field } });
}
