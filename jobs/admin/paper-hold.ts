import { AppError } from '../../compute/model/errors.js';
import type { Command } from './command.js';
import { exchangesFor } from './exchanges-for.js';
import { readUser } from './read-options.js';

export const paperHold: Command = {
  name: 'paper hold',
  summary: 'gives a paper account an asset, at the price of the moment',
  options: {
    email: { value: 'E', required: true },
    asset: { value: 'BTC', required: true },
    quantity: { value: '0.5', required: true },
  },
  async run({ email, asset, quantity }, context) {
    if (!/^[A-Z0-9]{1,20}$/.test(asset!))
      throw new AppError(
        'invalid_command',
        `--asset must be a symbol in upper case, as in BTC, found "${asset}"`,
      );
    const user = await readUser(email, context.storage);
    await exchangesFor(context).give(user.id, [{ asset: asset!, quantity: quantity! }]);
    return {
      data: { email: user.email, asset, quantity },
      lines: [`${user.email} holds ${quantity} ${asset} more on paper`],
    };
  },
};
