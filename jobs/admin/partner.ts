import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { mostKeys, type PartnerCredentials } from '../../storage/users/partners.js';
import { readBy, required } from './cli/command-option.js';
import { defineCommand, defineNoun, type CommandResult } from './cli/define-command.js';
import { tableOf } from './cli/table-of.js';

const nameSchema = Joi.string()
  .trim()
  .max(100)
  .pattern(/^[^\p{Cc}\p{Surrogate}]+$/u, 'one line of text');

const nameOption = required({
  value: 'name',
  meaning: 'name of the partner, one line of at most 100 characters',
  read: readBy(nameSchema),
});

const add = defineCommand({
  name: 'add',
  summary: 'Add a partner who may send signals',
  details: 'Prints the key and the secret of the partner. The secret is not shown again.',
  options: { name: nameOption },
  examples: ["npm run admin -- partner add --name 'Alpha Signals'"],
  async run({ name }, { storage }) {
    return showCredentials(name, await storage.partners.add(name));
  },
});

const list = defineCommand({
  name: 'list',
  summary: 'List the partners and their keys',
  options: {},
  examples: ['npm run admin -- partner list'],
  async run(_values, { storage }) {
    const data = (await storage.partners.list()).map(({ name, keys }) => ({
      name,
      keys: keys.map(({ key, createdAt }) => ({ key, created: createdAt.toISOString() })),
    }));
    const rows = data.flatMap(({ name, keys }) =>
      keys.length === 0 ? [[name, '-', '-']] : keys.map(({ key, created }) => [name, key, created]),
    );
    const lines = tableOf(['name', 'key', 'created'], rows);
    return { data, lines: data.length === 0 ? ['there are no partners'] : lines };
  },
});

const remove = defineCommand({
  name: 'remove',
  summary: 'Remove a partner with all keys',
  options: { name: nameOption },
  examples: ["npm run admin -- partner remove --name 'Alpha Signals'"],
  async run({ name }, { storage }) {
    if (!(await storage.partners.remove(name))) throw noPartner(name);
    return { data: { name }, lines: [`removed partner ${name}`] };
  },
});

const revoke = defineCommand({
  name: 'revoke',
  summary: 'Revoke one key of a partner',
  options: { key: required({ value: 'key', meaning: 'key, as "partner list" shows it' }) },
  examples: ['npm run admin -- partner revoke --key K'],
  async run({ key }, { storage }) {
    if (!(await storage.partners.revokeKey(key)))
      throw new AppError('invalid_command', `no partner has key "${key}"`);
    return { data: { key }, lines: [`revoked key ${key}`] };
  },
});

const rotate = defineCommand({
  name: 'rotate',
  summary: 'Give a partner another key',
  details: 'Prints the key and its secret, which is not shown again. Older keys work until they are revoked.',
  options: { name: nameOption },
  examples: ["npm run admin -- partner rotate --name 'Alpha Signals'"],
  async run({ name }, { storage }) {
    const credentials = await storage.partners.addKey(name);
    if (credentials === 'unknown') throw noPartner(name);
    if (credentials === 'full')
      throw new AppError(
        'invalid_command',
        `partner "${name}" has ${mostKeys} keys, the most; revoke one first`,
      );
    return showCredentials(name, credentials);
  },
});

const noPartner = (name: string) => new AppError('invalid_command', `there is no partner "${name}"`);

/** A key with its secret; only a digest of the secret is stored, so this is the one time to show it. */
const showCredentials = (name: string, { key, secret }: PartnerCredentials): CommandResult => ({
  data: { name, key, secret },
  lines: [
    `partner ${name} authenticates requests with these headers; the secret is not shown again`,
    `svc-api-key: ${key}`,
    `svc-api-secret: ${secret}`,
  ],
});

/** Partners who send signals, and their API keys. */
export const partnerCommand = defineNoun('partner', {
  summary: 'Partners who may send signals, and their keys',
  examples: ['npm run admin -- partner list', 'npm run admin -- partner rotate --help'],
  commands: [add, list, remove, revoke, rotate],
});
