import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import {
  mongodbPasswordFile,
  newMongodbPassword,
  readMongodbPassword,
  storeMongodbPassword,
} from './mongodb-password.js';
import { mongodbRoles, mongodbUser } from './mongodb-ready.js';
import { preparePrivateFolder } from './private-folder.js';
import type { ServerProgram } from './server-program.js';
import { spawnServer } from './spawn-server.js';

/** A mongod that has no password yet: it listens on nothing but a Unix socket in its data folder, so nobody else reaches it. */
type ClosedMongod = Pick<ServerProgram, 'title' | 'origin' | 'command' | 'folder'>;

const setUpArguments = (folder: string, socket: string): string[] => [
  ...['--dbpath', folder, '--bind_ip', socket, '--wiredTigerCacheSizeGB', '1', '--quiet'],
];

/**
 * The password of the service's user in this mongod. Without one, or without data, the mongod is set up first: it is started
 * on a Unix socket, gets the user, loses all others, and is stopped. Data of a mongod without access control are kept.
 */
export async function mongodPassword(program: ClosedMongod): Promise<string> {
  const file = mongodbPasswordFile(program.folder);
  const known = await readMongodbPassword(file);
  if (known !== undefined && existsSync(join(program.folder, 'WiredTiger'))) return known;
  await preparePrivateFolder(program.folder);
  const password = known ?? newMongodbPassword();
  const socket = join(program.folder, 'set-up.sock');
  const url = `mongodb://${encodeURIComponent(socket)}/admin?directConnection=true`;
  const server = await spawnServer(
    {
      ...program,
      kind: 'mongodb',
      socket,
      args: () => setUpArguments(program.folder, socket),
      url: () => url,
      isReady: () => answers(url),
    },
    0,
    join(program.folder, 'set-up.log'),
    new AbortController().signal,
  );
  try {
    await withAdmin(url, (admin) => setUser(admin, password));
  } finally {
    await server.stop();
  }
  await storeMongodbPassword(file, password);
  return password;
}

/** Leaves the service's user as the only one, so that a user that was added before there was access control has no access. */
async function setUser(admin: Db, password: string): Promise<void> {
  const { users } = (await admin.command({ usersInfo: { forAllDBs: true } })) as {
    users: { user: string; db: string }[];
  };
  for (const { user } of users.filter(({ db }) => db === 'admin')) await admin.command({ dropUser: user });
  const roles = mongodbRoles.map((role) => ({ role, db: 'admin' }));
  await admin.command({ createUser: mongodbUser, pwd: password, roles });
}

async function answers(url: string): Promise<boolean> {
  try {
    await withAdmin(url, (admin) => admin.command({ ping: 1 }));
    return true;
  } catch {
    return false;
  }
}

async function withAdmin(url: string, ask: (admin: Db) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  try {
    await ask(client.db('admin'));
  } finally {
    await client.close();
  }
}
