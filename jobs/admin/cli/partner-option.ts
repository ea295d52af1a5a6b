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

export const noPartner = (name: string): AppError =>
  new AppError('invalid_command', `there is no partner "${name}"`);
