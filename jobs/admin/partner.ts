import { countOf } from '../../compute/model/count-of.js';
import { AppError } from '../../compute/model/errors.js';
import { openSecretBox } from '../../storage/accounts/open-secret-box.js';
import { mostKeys, type PartnerCredentials } from '../../storage/users/partners.js';
import { isAddressOrNetwork } from '../../storage/users/allowed-addresses.js';
import { required, type OptionReader, wrongOption } from './cli/command-option.js';
import { defineCommand, defineNoun, type CommandResult } from './cli/define-command.js';
import { findPartner, nameReader, noPartner } from './cli/partner-option.js';
import { listResult } from './cli/table-of.js';
import { findUser, userOption } from './cli/user-option.js';

const nameOption = required({
  value: 'name',
  meaning: 'name of the partner, one line of at most 100 characters',
  read: nameReader,
});

const keyOption = required({ value: 'key', meaning: 'key, as "partner list" shows it' });

const add = defineCommand({
  name: 'add',
  summary: 'Add a partner who may send signals',
  details: 'Prints the key and the secret of the partner. The secret is not shown again.',
  options: { name: nameOption },
  examples: ["npm run admin -- partner add --name 'Alpha Signals'"],
  async run({ name }, { storage, settings }) {
    return showCredentials(name, await storage.partners.add(name, await openSecretBox(settings)));
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
      keys: keys.map(({ key, createdAt, lastUsedAt, addresses, channelId }) => ({
        key,
        addresses,
        channel: channelId,
        created: createdAt.toISOString(),
        lastUsed: lastUsedAt === null ? null : lastUsedAt.toISOString(),
      })),
    }));
    const rows = data.flatMap(({ name, keys }) =>
      keys.length === 0
        ? [[name, '-', '-', '-', '-']]
        : keys.map(({ key, created, lastUsed, addresses }) => [
            name,
            key,
            created,
            lastUsed ?? 'never',
            addresses.join(',') || 'anywhere',
          ]),
    );
    return listResult(
      data,
      ['name', 'key', 'created', 'last used', 'used from'],
      rows,
      'there are no partners',
    );
  },
});

const remove = defineCommand({
  name: 'remove',
  summary: 'Remove a partner with all keys',
  options: { name: nameOption },
  examples: ["npm run admin -- partner remove --name 'Alpha Signals'"],
  async run({ name }, { storage }) {
    const { id } = await findPartner(name, storage);
    if (!(await storage.partners.remove(name))) throw noPartner(name);
    const executions = await storage.executionReads.countOpen({ partnerId: id });
    const goOn = `${countOf(executions, 'execution')} of its signals ${executions === 1 ? 'goes' : 'go'} on`;
    const halt = `trading halt --partner ${id} halts new entries`;
    return {
      data: { name, id, executions },
      lines: [`removed partner ${name}`, ...(executions > 0 ? [`${goOn}; ${halt}`] : [])],
    };
  },
});

const revoke = defineCommand({
  name: 'revoke',
  summary: 'Revoke one key of a partner',
  options: { key: keyOption },
  examples: ['npm run admin -- partner revoke --key K'],
  async run({ key }, { storage }) {
    if (!(await storage.partners.revokeKey(key))) throw noKey(key);
    return { data: { key }, lines: [`revoked key ${key}`] };
  },
});

const rotate = defineCommand({
  name: 'rotate',
  summary: 'Give a partner another key',
  details: 'Prints the key and its secret, which is not shown again. Older keys work until they are revoked.',
  options: { name: nameOption },
  examples: ["npm run admin -- partner rotate --name 'Alpha Signals'"],
  async run({ name }, { storage, settings }) {
    const credentials = await storage.partners.addKey(name, await openSecretBox(settings));
    if (credentials === 'unknown') throw noPartner(name);
    if (credentials === 'full')
      throw new AppError(
        'invalid_command',
        `partner "${name}" has ${mostKeys} keys, the most; revoke one first`,
      );
    return showCredentials(name, credentials);
  },
});

const anywhere = 'anywhere';
const mostAddresses = 50;

const readAddresses: OptionReader<string[]> = (given) => {
  if (given === anywhere) return [];
  const addresses = given.split(',').map((each) => each.trim());
  if (addresses.length <= mostAddresses && addresses.every(isAddressOrNetwork)) return addresses;
  const networks = `at most ${mostAddresses} IP addresses and networks as in 192.0.2.0/24,2001:db8::1`;
  throw wrongOption('from', `"${anywhere}", or ${networks}`, given.slice(0, 100));
};

const allow = defineCommand({
  name: 'allow',
  summary: 'Say from which addresses a key may be used',
  options: {
    key: keyOption,
    from: required({
      value: 'addresses',
      meaning: `IP addresses and networks, separated by commas, or ${anywhere}`,
      read: readAddresses,
    }),
  },
  examples: ['npm run admin -- partner allow --key K --from 192.0.2.7,2001:db8::/48'],
  async run({ key, from: addresses }, { storage }) {
    if (!(await storage.partners.bindKey(key, { addresses }))) throw noKey(key);
    return {
      data: { key, addresses },
      lines: [`key ${key} may be used from ${addresses.join(', ') || anywhere}`],
    };
  },
});

const bind = defineCommand({
  name: 'bind',
  summary: 'Send the signals of a key to another channel of its partner',
  details: 'A key that is not bound sends them to the first channel of the partner.',
  options: {
    name: nameOption,
    key: keyOption,
    channel: required({ value: 'name', meaning: 'name of the channel', read: nameReader }),
  },
  examples: ["npm run admin -- partner bind --name 'Alpha Signals' --key K --channel Majors"],
  async run({ name, key, channel: channelName }, { storage }) {
    const partner = await findPartner(name, storage);
    const channel = await storage.channels.named(partner.id, channelName);
    if (!channel) throw new AppError('invalid_command', `partner "${name}" has no channel "${channelName}"`);
    if (!partner.keys.some((each) => each.key === key)) throw noKey(key);
    await storage.partners.bindKey(key, { channelId: channel.id });
    return {
      data: { name, key, channel: channel.id },
      lines: [`signals of key ${key} go to ${channelName}`],
    };
  },
});

const memberOptions = { partner: nameOption, email: userOption };

const addMember = defineCommand({
  name: 'add',
  summary: 'Let a user act for a partner',
  options: memberOptions,
  examples: ["npm run admin -- partner member add --partner 'Alpha Signals' --email you@example.com"],
  async run({ partner, email }, { storage }) {
    const { id } = await findUser(email, storage);
    await findPartner(partner, storage);
    await storage.partners.addMember(partner, id);
    return { data: { partner, email }, lines: [`${email} acts for partner ${partner}`] };
  },
});

const listMembers = defineCommand({
  name: 'list',
  summary: 'List the users who act for a partner',
  options: { partner: nameOption },
  examples: ["npm run admin -- partner member list --partner 'Alpha Signals'"],
  async run({ partner }, { storage }) {
    await findPartner(partner, storage);
    const members = await storage.partners.members(partner);
    const found = await Promise.all(members.map(({ userId }) => storage.users.byId(userId)));
    const data = members.map(({ since }, n) => ({
      email: found[n]?.email ?? null,
      since: since.toISOString(),
    }));
    const rows = data.map(({ email, since }) => [email ?? '(removed)', since]);
    return listResult(data, ['email', 'since'], rows, 'it has no members');
  },
});

const removeMember = defineCommand({
  name: 'remove',
  summary: 'End that a user acts for a partner',
  options: memberOptions,
  examples: ["npm run admin -- partner member remove --partner 'Alpha Signals' --email you@example.com"],
  async run({ partner, email }, { storage }) {
    const { id } = await findUser(email, storage);
    await findPartner(partner, storage);
    if (!(await storage.partners.removeMember(id, partner)))
      throw new AppError('invalid_command', `${email} does not act for partner "${partner}"`);
    return { data: { partner, email }, lines: [`${email} no longer acts for partner ${partner}`] };
  },
});

const member = defineNoun('member', {
  summary: 'Users who act for a partner with their own session',
  examples: ["npm run admin -- partner member list --partner 'Alpha Signals'"],
  commands: [addMember, listMembers, removeMember],
});

const noKey = (key: string) => new AppError('invalid_command', `no partner has key "${key.slice(0, 60)}"`);

/** A key with its secret; this is the one time to show it. */
const showCredentials = (name: string, { key, secret }: PartnerCredentials): CommandResult => ({
  data: { name, key, secret },
  lines: [
    `partner ${name} authenticates requests with these headers; the secret is not shown again`,
    `svc-api-key: ${key}`,
    `svc-api-secret: ${secret}`,
  ],
});

export const partnerCommand = defineNoun('partner', {
  summary: 'Partners who may send signals, and their keys',
  examples: ['npm run admin -- partner list', 'npm run admin -- partner rotate --help'],
  commands: [add, allow, bind, list, member, remove, revoke, rotate],
});
