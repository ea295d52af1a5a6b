import Joi from 'joi';
import { AppError, fieldError } from '../../../compute/model/errors.js';
import { decimalPattern } from '../../../compute/model/decimal.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import { keyText, secretText } from '../../../storage/exchanges/key-text.js';
import type { HoldingRequest, DisconnectOptions } from '../../../storage/accounts/user-exchanges.js';
import { keepIfSignedIn } from '../../auth/session.js';
import { defineOperation } from '../../operation.js';
import { exchangesOf, exchangesOutput } from './list-exchanges.js';
import { tryKeyOnWorker } from './try-key-on-worker.js';

export const disconnectExchange = defineOperation({
  id: 'disconnect-exchange',
  summary:
    'Deletes a connected exchange, its key and the account data read with it, and pauses your subscriptions on it. Refused while signals are executed there, unless `close` or `handover` says what becomes of them.',
  scope: 'user',
  input: Joi.object<Required<DisconnectOptions> & { exchange: string }, true>({
    exchange: Joi.string().max(20).required().description('name of a connected exchange').example('PAPER'),
    close: Joi.boolean()
      .default(false)
      .description('whether signals that are executed there are closed at market first'),
    handover: Joi.boolean()
      .default(false)
      .description(
        'whether signals that are executed there end without an order: what is held, and orders that stand there, are yours to watch',
      ),
  }).oxor('close', 'handover', { isPresent: (value) => value === true }),
  output: exchangesOutput,
  errors: ['positions_open'],
  async handle({ exchange: name, ...options }, deps, caller) {
    const { userId } = caller.user!;
    await deps.exchanges.disconnect(userId, name, options);
    deps.audit.note('exchange_removed', userId, caller, { exchange: name });
    return exchangesOf(userId, deps);
  },
});

const keyField = ({ pattern, meaning }: typeof keyText) => Joi.string().max(4096).pattern(pattern, meaning);

export const connectExchange = defineOperation({
  id: 'connect-exchange',
  summary:
    'Connects an exchange with an API key that may not withdraw; or sets the holdings of the paper exchange. Subscriptions on an exchange that is connected are paused until you resume them.',
  scope: 'user',
  needsVerified: true,
  cost: 10,
  input: Joi.object<{
    exchange: string;
    apiKey?: string;
    apiSecret?: string;
    passphrase?: string;
    takeover?: boolean;
    holdings?: HoldingRequest[];
  }>({
    exchange: Joi.string().max(20).required().description('one of the available exchanges').example('PAPER'),
    apiKey: keyField(keyText).description('API key that may read, and trade if signals are to be executed'),
    apiSecret: keyField(secretText).description('secret of the API key; stored encrypted and never shown'),
    passphrase: keyField(keyText).description('passphrase of the API key, for exchanges that use one'),
    takeover: Joi.boolean().description(
      'whether this connection executes signals if another one does so on the same account of the exchange, which then stops; otherwise that one goes on',
    ),
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
            .description('amount of the asset, as a decimal'),
        }),
      )
      .min(1)
      .max(100)
      .unique('asset')
      .description(
        'with PAPER only: holdings to add to the account, valued at current prices, each at most 1,000,000,000,000 USDT; sent again within 10 minutes with the same header "idempotency-key" they are added once',
      )
      .example([{ asset: 'BTC', quantity: '0.5' }]),
  }),
  output: exchangesOutput,
  errors: ['already_exists', 'exchange_refused', 'exchange_unavailable'],
  leadsTo: [{ to: 'disconnect-exchange', fields: { exchange: 'input/exchange' } }],
  async handle(input, deps, caller) {
    const { userId } = caller.user!;
    const { exchange: name, apiKey, apiSecret, passphrase, takeover, holdings } = input;
    deps.exchanges.exchanges.requireName(name);
    if (name === paperName) {
      refuse({ apiKey, apiSecret, passphrase }, `is not allowed with ${paperName}`);
      await deps.exchanges
        .give(userId, holdings ?? missing('holdings', name), caller.idempotencyKey ?? null)
        .catch(failHoldings);
    } else {
      refuse({ holdings }, `is allowed only with ${paperName}`);
      const key = {
        apiKey: apiKey ?? missing('apiKey', name),
        secret: apiSecret ?? missing('apiSecret', name),
        passphrase: passphrase ?? null,
      };
      await deps.exchanges.connect(userId, name, key, tryKeyOnWorker(deps, caller), takeover);
      const undo = () => deps.exchanges.disconnect(userId, name, { handover: true });
      await keepIfSignedIn(deps.storage, caller.user!, undo);
      deps.audit.note('exchange_connected', userId, caller, { exchange: name });
    }
    return exchangesOf(userId, deps);
  },
});

/** Throws the fault of a holding as one of the field `holdings`, and any other error as it is. */
function failHoldings(error: unknown): never {
  if (!(error instanceof AppError) || error.details.field === undefined) throw error;
  const field = `holdings.${String(error.details.field)}`;
  throw new AppError(error.code, error.message, { details: { ...error.details, field } });
}

const missing = (field: string, name: string): never => {
  throw fieldError(field, `"${field}" is required with "${name}"`);
};

/** Throws `invalid_input` if one of the fields is given. */
function refuse(fields: Readonly<Record<string, unknown>>, why: string): void {
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (field !== undefined) throw fieldError(field, `"${field}" ${why}`);
}
