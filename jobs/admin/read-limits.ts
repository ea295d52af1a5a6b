import { isIP } from 'node:net';
import { AppError } from '../../compute/model/errors.js';
import { limitsOfAddress, limitsOfUser, type LimitKey } from '../../storage/users/limit-keys.js';
import type { CommandContext } from './command.js';
import { readUser } from './read-options.js';

/** The limits of the user and of the address that the options name. */
export async function readLimits(
  { email, address }: Readonly<Record<string, string | undefined>>,
  { storage, redis, settings }: CommandContext,
): Promise<LimitKey[]> {
  if (address !== undefined && isIP(address) === 0)
    throw new AppError('invalid_command', `--address must be an IP address, found "${address}"`);
  return [
    ...(email === undefined ? [] : await limitsOfUser(redis, await readUser(email, storage), settings)),
    ...(address === undefined ? [] : await limitsOfAddress(redis, address, settings)),
  ];
}
