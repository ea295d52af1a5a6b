import type { Storage } from '../../storage/index.js';
import { hashPassword } from '../../storage/users/password.js';
import { requireNoLivePositions } from '../../storage/signals/live-positions.js';
import { removeUser } from '../../storage/users/remove-user.js';
import { replacePassword } from '../../storage/users/take-account.js';
import { plans, type User } from '../../storage/users/users.js';
import { choice, optional, yesOrNo } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { passwordReader, readPassword } from './cli/read-secret.js';
import { tableOf } from './cli/table-of.js';
import { findUser, userOption } from './cli/user-option.js';

const operatorMeaning = 'whether the user may see and control the cluster';

const add = defineCommand({
  name: 'add',
  summary: 'Add a user who may sign in',
  details:
    'Without --password the password is the first line of standard input, where no other program sees it.',
  options: {
    email: userOption,
    password: optional({ value: 'password', meaning: 'password, 8 to 1024 bytes', read: passwordReader }),
    plan: choice({
      value: 'plan',
      meaning: 'plan, which sets the points per minute',
      choices: plans,
      default: 'free',
    }),
    operator: yesOrNo(operatorMeaning, 'no'),
  },
  examples: [
    'npm run admin -- user add --email you@example.com --plan plus < password.txt',
    "npm run admin -- user add --email you@example.com --password 'a long password' --operator yes",
  ],
  async run({ email, password, plan, operator: mayOperate }, { storage }) {
    const operator = mayOperate === 'yes';
    const passwordHash = await hashPassword(password ?? (await readPassword()));
    const user = await storage.users.add({ email, plan, operator, passwordHash });
    return {
      data: { userid: user.id, email: user.email, plan: user.plan, operator },
      lines: [`added user ${user.email} with plan ${user.plan}${operator ? ', an operator' : ''}`],
    };
  },
});

const listTitles = ['email', 'plan', 'operator', 'password', 'verified', 'created'] as const;

const list = defineCommand({
  name: 'list',
  summary: 'List the users',
  details: 'Shows whether each is an operator, has a password and has a verified e-mail address.',
  options: {},
  examples: ['npm run admin -- user list'],
  async run(_values, { storage }) {
    const data = (await storage.users.list()).map(describeUser);
    const asText = (value: string | boolean) => (typeof value === 'string' ? value : value ? 'yes' : 'no');
    const rows = data.map((row) => listTitles.map((title) => asText(row[title])));
    return { data, lines: data.length === 0 ? ['there are no users'] : tableOf(listTitles, rows) };
  },
});

const describeUser = ({ id, email, plan, operator, passwordHash, emailVerifiedAt, createdAt }: User) => ({
  userid: id,
  email,
  plan,
  operator,
  password: passwordHash !== null,
  verified: emailVerifiedAt !== null,
  created: createdAt.toISOString(),
});

const operator = defineCommand({
  name: 'operator',
  summary: 'Make a user an operator, or take that right away',
  options: {
    email: userOption,
    operator: yesOrNo(operatorMeaning),
  },
  examples: ['npm run admin -- user operator --email you@example.com --operator yes'],
  async run(values, { storage }) {
    const operator = values.operator === 'yes';
    const { id, email } = await findUser(values.email, storage);
    await storage.users.setOperator(id, operator);
    return {
      data: { userid: id, email, operator },
      lines: [`user ${email} is ${operator ? 'an operator' : 'not an operator'} now`],
    };
  },
});

const password = defineCommand({
  name: 'password',
  summary: 'Change the password of a user, end all sessions and access tokens, disconnect all apps',
  details: 'The new password, 8 to 1024 bytes, is the first line of standard input.',
  options: { email: userOption },
  examples: ['npm run admin -- user password --email you@example.com < password.txt'],
  async run(values, { storage }) {
    const { id, email, emailVerifiedAt } = await findUser(values.email, storage);
    const ended = await replacePassword(storage, id, await hashPassword(await readPassword()), {
      tell: emailVerifiedAt === null ? null : email,
      endsTokens: true,
    });
    return {
      data: { userid: id, email, ended },
      lines: [`user ${email} has another password now; sessions ended: ${ended}`],
    };
  },
});

const plan = defineCommand({
  name: 'plan',
  summary: 'Move a user to another plan',
  details: 'The change takes effect at once.',
  options: {
    email: userOption,
    plan: choice({ value: 'plan', meaning: 'plan, which sets the points per minute', choices: plans }),
  },
  examples: ['npm run admin -- user plan --email you@example.com --plan pro'],
  async run({ plan, ...values }, { storage }) {
    const { id, email } = await findUser(values.email, storage);
    await storage.users.setPlan(id, plan);
    return { data: { userid: id, email, plan }, lines: [`user ${email} has plan ${plan} now`] };
  },
});

const removalAdvice =
  'the user closes them with POST /backend/trading/close-all; --abandon-positions yes leaves them without their stops';

const remove = defineCommand({
  name: 'remove',
  summary: 'Remove a user with their sessions and connected exchanges',
  details:
    'Refused while signals are executed for them on a real exchange. A removal that was cut off is completed by the same command, or in the night.',
  options: {
    email: userOption,
    abandonPositions: yesOrNo(
      'yes: what signals have bought on real exchanges stays there, without its stops',
      'no',
    ),
  },
  examples: ['npm run admin -- user remove --email you@example.com'],
  async run({ abandonPositions, ...values }, { storage }) {
    const found = await storage.users.toRemove(values.email);
    const { id, email } = found ?? (await findUser(values.email, storage));
    if (!found?.hasBegun && abandonPositions === 'no')
      await requireNoLivePositions(id, storage, removalAdvice);
    await removeUser(storage, id);
    return { data: { userid: id, email }, lines: [`removed user ${email}`] };
  },
});

const sessionTitles = ['client', 'created', 'expires'] as const;

const sessions = defineCommand({
  name: 'sessions',
  summary: 'List where a user is signed in',
  options: { email: userOption },
  examples: ['npm run admin -- user sessions --email you@example.com'],
  async run(values, { storage }) {
    const { id, email } = await findUser(values.email, storage);
    const data = await sessionsOf(id, storage);
    const rows = data.map((row) => sessionTitles.map((title) => row[title]));
    const none = [`user ${email} is not signed in`];
    return { data, lines: data.length === 0 ? none : tableOf(sessionTitles, rows) };
  },
});

async function sessionsOf(userId: string, storage: Storage) {
  const found = await storage.sessions.ofUser(userId);
  return found.map(({ client, createdAt, expiresAt }) => ({
    client,
    created: createdAt.toISOString(),
    expires: expiresAt.toISOString(),
  }));
}

const signOut = defineCommand({
  name: 'sign-out',
  summary: 'End all sessions of a user',
  options: { email: userOption },
  examples: ['npm run admin -- user sign-out --email you@example.com'],
  async run(values, { storage }) {
    const { id, email } = await findUser(values.email, storage);
    const ended = await storage.sessions.endAll(id);
    return { data: { userid: id, email, ended }, lines: [`sessions of ${email} ended: ${ended}`] };
  },
});

const verify = defineCommand({
  name: 'verify',
  summary: 'Mark the e-mail of a user as verified, or take that back',
  details:
    'Users who signed up share the points per minute of their network until their e-mail is verified. The change takes effect at once. Who has signed up keeps password and sessions: if that may be another person, set a password first (user password).',
  options: {
    email: userOption,
    verified: yesOrNo('whether the e-mail is known to belong to the user', 'yes'),
  },
  examples: ['npm run admin -- user verify --email you@example.com'],
  async run(values, { storage }) {
    const verified = values.verified === 'yes';
    const { id, email } = await findUser(values.email, storage);
    await storage.users.setEmailVerified(id, verified);
    const lines = [`the e-mail ${email} is ${verified ? 'verified' : 'not verified'} now`];
    return { data: { userid: id, email, verified }, lines };
  },
});

export const userCommand = defineNoun('user', {
  summary: 'Users, their plans, passwords and sessions',
  examples: [
    'npm run admin -- user add --email you@example.com --plan plus < password.txt',
    'npm run admin -- user list',
  ],
  commands: [add, list, operator, password, plan, remove, sessions, signOut, verify],
});
