import { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import { tryKey } from '../../storage/exchanges/try-key.js';
import type { Command } from './command.js';
import { readSecret } from './read-secret.js';
import { exchangesFor } from './exchanges-for.js';
import { readUser } from './read-options.js';

export const connectionAdd: Command = {
  name: 'connection add',
  summary:
    'connects an exchange by an API key that may not withdraw; its secret comes from a file, - is standard input',
  options: {
    email: { value: 'E', required: true },
    exchange: { value: 'BINANCE', required: true },
    key: { value: 'K', required: true },
    'secret-file': { value: 'F|-', required: true },
    'passphrase-file': { value: 'F', required: false },
  },
  async run({ email, exchange, key, 'secret-file': secretFile, 'passphrase-file': passphraseFile }, context) {
    const user = await readUser(email, context.storage);
    const secret = await readSecret(secretFile!);
    const passphrase = passphraseFile === undefined ? null : await readSecret(passphraseFile);
    const { settings, redis } = context;
    const users = exchangesFor(context);
    // A command runs until its process ends, and asks the exchange itself: there may be no market worker.
    const { signal } = new AbortController();
    const exchanges = new OpenExchanges({ settings, known: users.exchanges, redis, signal });
    await users.connect(user.id, exchange!, { apiKey: key!, secret, passphrase }, (name, given) =>
      tryKey(exchanges, name, given, signal),
    );
    return {
      data: { email: user.email, exchange },
      lines: [`connected ${exchange} for ${user.email}`],
    };
  },
};
