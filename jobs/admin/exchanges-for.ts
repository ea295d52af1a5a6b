import { UserExchanges } from '../../storage/accounts/user-exchanges.js';
import type { CommandContext } from './command.js';

/** What users have connected, for a command. */
export const exchangesFor = ({ settings, storage, redis }: CommandContext): UserExchanges =>
  new UserExchanges(settings, storage, redis);
