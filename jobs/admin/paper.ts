import { UserExchanges } from '../../storage/accounts/user-exchanges.js';
import { required, type OptionReader, wrongOption } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { findUser, userOption } from './cli/user-option.js';

const readAsset: OptionReader<string> = (given) => {
  if (/^[A-Z0-9]{1,20}$/.test(given)) return given;
  throw wrongOption('asset', 'a symbol in upper case, as in BTC', given);
};

const hold = defineCommand({
  name: 'hold',
  summary: 'Add an asset to the paper account of a user, at the current price',
  options: {
    email: userOption,
    asset: required({ value: 'symbol', meaning: 'asset, as in BTC', read: readAsset }),
    quantity: required({ value: 'number', meaning: 'quantity to add, a decimal as in 0.5' }),
  },
  examples: ['npm run admin -- paper hold --email you@example.com --asset BTC --quantity 0.5'],
  async run({ email, asset, quantity }, { settings, storage, redis }) {
    const user = await findUser(email, storage);
    await new UserExchanges(settings, storage, redis).give(user.id, [{ asset, quantity }]);
    return {
      data: { email: user.email, asset, quantity },
      lines: [`${user.email} holds ${quantity} ${asset} more on paper`],
    };
  },
});

export const paperCommand = defineNoun('paper', {
  summary: 'Paper accounts, which every user has',
  examples: ['npm run admin -- paper hold --email you@example.com --asset BTC --quantity 0.5'],
  commands: [hold],
});
