import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import type { PartnerCredentials } from '../../storage/users/partners.js';
import type { CommandResult } from './command.js';
import { readOptions } from './read-options.js';

const schema = Joi.object<{ name: string }, true>({
  name: Joi.string()
    .trim()
    .max(100)
    .pattern(/^[^\p{Cc}\p{Surrogate}]+$/u, 'one line of text')
    .required(),
});

/** The name of a partner as `--name` gives it. */
export const readPartnerName = (options: { name?: string | undefined }): string =>
  readOptions(schema, { name: options.name }).name;

export const noPartner = (name: string) => new AppError('invalid_command', `there is no partner "${name}"`);

/** Tells a key and its secret, the only time that the secret can be told. */
export const showCredentials = (name: string, { key, secret }: PartnerCredentials): CommandResult => ({
  data: { name, key, secret },
  lines: [
    `partner ${name} signs requests with these headers; the secret is shown this once`,
    `svc-api-key: ${key}`,
    `svc-api-secret: ${secret}`,
  ],
});
