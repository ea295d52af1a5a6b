import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import type { Storage } from '../../../storage/index.js';
import type { Partner } from '../../../storage/users/partners.js';
import { readBy } from './command-option.js';

/** One line of text, as names of partners and channels are. */
export const nameReader = readBy(
  Joi.string()
    .trim()
    .max(100)
    .pattern(/^[^\p{Cc}\p{Surrogate}]+$/u, 'one line of text'),
);

/** The partner of that name. Throws `invalid_command` if there is none. */
export async function findPartner(name: string, { partners }: Pick<Storage, 'partners'>): Promise<Partner> {
  const partner = await partners.named(name);
  if (!partner) throw noPartner(name);
  return partner;
}

/**
 * The id of the partner of that name, or the name itself where it is an id: signals and halts outlast their partner, whose name is
 * gone then. Throws `invalid_command` for another name.
 */
export const partnerIdOf = async (name: string, storage: Pick<Storage, 'partners'>): Promise<string> =>
  /^[0-9a-f]{24}$/.test(name) && !(await storage.partners.named(name))
    ? name
    : (await findPartner(name, storage)).id;

export const noPartner = (name: string): AppError =>
  new AppError('invalid_command', `there is no partner "${name}"`);
