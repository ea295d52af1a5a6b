import { UserExchanges, type ConnectedExchange, type TryKey } from '../../storage/accounts/user-exchanges.js';
import { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import { tryKey } from '../../storage/exchanges/try-key.js';
import { optional, required, yesOrNo } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { readSecret } from './cli/read-secret.js';
import { findUser, userOption } from './cli/user-option.js';
import type { CommandContext } from './cli/with-servers.js';

const exchangeOption = required({ value: 'name', meaning: 'exchange, as in BINANCE' });

const add = defineCommand({
  name: 'add',
  summary: 'Connect an exchange by an API key that may not withdraw',
  details: 'The key is tried at the exchange first. It is stored sealed and never shown.',
  options: {
    email: userOption,
    exchange: exchangeOption,
    key: required({ value: 'key', meaning: 'API key' }),
    secretFile: required({ value: 'file', meaning: 'file with the secret of the key; - is standard input' }),
    passphraseFile: optional({ value: 'file', meaning: 'file with the passphrase, for KuCoin' }),
    takeover: yesOrNo(
      'yes: this connection executes signals, not another one to the same account of the exchange',
      'no',
    ),
  },
  examples: [
    'npm run admin -- connection add --email you@example.com --exchange BINANCE --key K --secret-file F',
    'npm run admin -- connection add --email you@example.com --exchange BINANCE --key K --secret-file - < F',
  ],
  async run({ email, exchange, key, secretFile, passphraseFile, takeover }, context) {
    const user = await findUser(email, context.storage);
    const secret = await readSecret(secretFile);
    const passphrase = passphraseFile === undefined ? null : await readSecret(passphraseFile);
    const users = exchangesFor(context);
    const { settings, redis } = context;
    // The command asks the exchange itself, as there may be no market worker; nothing aborts it before it ends.
    const { signal } = new AbortController();
    const exchanges = new OpenExchanges({ settings, known: users.exchanges, redis, signal });
    const tried: TryKey = (name, given) => tryKey(exchanges, name, given, signal);
    await users.connect(user.id, exchange, { apiKey: key, secret, passphrase }, tried, takeover === 'yes');
    return { data: { email: user.email, exchange }, lines: [`connected ${exchange} for ${user.email}`] };
  },
});

const list = defineCommand({
  name: 'list',
  summary: 'List the exchanges of a user, and when each was read',
  options: { email: userOption },
  examples: ['npm run admin -- connection list --email you@example.com'],
  async run({ email }, context) {
    const user = await findUser(email, context.storage);
    const data = await exchangesFor(context).list(user.id);
    return { data, lines: data.map(describeConnection) };
  },
});

function describeConnection({
  exchange,
  kind,
  mayTrade,
  objection,
  syncedAt,
  fault,
}: ConnectedExchange): string {
  const read = syncedAt === null ? 'not read yet' : `read at ${new Date(syncedAt).toISOString()}`;
  const state = kind === 'paper' ? 'simulated' : (fault ?? read);
  const use = mayTrade ? (objection ?? 'may trade') : 'may only read';
  return `${exchange}: ${use}, ${state}`;
}

const remove = defineCommand({
  name: 'remove',
  summary: 'Remove an exchange of a user, with its key and what was read with it',
  options: { email: userOption, exchange: exchangeOption },
  examples: ['npm run admin -- connection remove --email you@example.com --exchange BINANCE'],
  async run({ email, exchange }, context) {
    const user = await findUser(email, context.storage);
    await exchangesFor(context).disconnect(user.id, exchange);
    return { data: { email: user.email, exchange }, lines: [`removed ${exchange} of ${user.email}`] };
  },
});

const exchangesFor = ({ settings, storage, redis }: CommandContext) =>
  new UserExchanges(settings, storage, redis);

export const connectionCommand = defineNoun('connection', {
  summary: 'Exchanges that users connect by API key',
  examples: [
    'npm run admin -- connection list --email you@example.com',
    'npm run admin -- connection add --help',
  ],
  commands: [add, list, remove],
});
