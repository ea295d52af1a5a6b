import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import {
  mongodbPasswordFile,
  newMongodbPassword,
  readMongodbPassword,
  storeMongodbPassword,
} from './secantusdb.js';
import { mongodbRoles, mongodbUser } from './mongodb-ready.js';
import { preparePrivateFolder } from './private-folder.js';
import { serverOptions, type ServerProgram } from './server-program.js';
import { socketPath } from './claim-socket.js';
import { spawnServer } from './spawn-server.js';

/** A mongod that has no password yet: it listens only on a Unix socket that other users cannot open. */
type ClosedMongod = Pick<ServerProgram, 'title' | 'origin' | 'command' | 'folder'>;

const setUpArguments = (folder: string, socket: string): string[] => [
  ...serverOptions({ dbpath: folder, bind_ip: socket, wiredTigerCacheSizeGB: '1' }),
  '--quiet',
];

/**
 * The password of the service's user in this mongod. Without one, or without data, the mongod is set up first: it is started
 * on a Unix socket, gets this user as its only one, and is stopped. Data of a mongod without access control are kept.
 */
export async function mongodPassword(program: ClosedMongod): Promise<string> {
  const file = mongodbPasswordFile(program.folder);
  const known = await readMongodbPassword(file);
  if (known !== undefined && existsSync(join(program.folder, 'WiredTiger'))) return known;
  await preparePrivateFolder(program.folder);
  const password = known ?? newMongodbPassword();
  const socket = await socketPath(program.folder, 'set-up.sock');
  const url = `mongodb://${encodeURIComponent(socket)}/admin?directConnection=true`;
  // A killed mongod leaves its socket behind.
  await rm(socket, { force: true });
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
    await withClient(url, (client) => setUser(client, password));
  } finally {
    await server.stop();
    await rm(socket, { force: true });
  }
  await storeMongodbPassword(file, password);
  return password;
}

/** Leaves the service's user as the only one, so that a user that was added before there was access control has no access. */
async function setUser(client: MongoClient, password: string): Promise<void> {
  // Servers that do not know the first query answer the second.
  for (const query of [{ forAllDBs: true }, 1]) {
    const found = await client.db('admin').command({ usersInfo: query });
    for (const { user, db } of found.users as { user: string; db: string }[])
      await client.db(db).command({ dropUser: user });
  }
  const roles = mongodbRoles.map((role) => ({ role, db: 'admin' }));
  await client.db('admin').command({ createUser: mongodbUser, pwd: password, roles });
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.db('admin').command({ ping: 1 }));
    return true;
  } catch {
    return false;
  }
}

async function withClient(url: string, ask: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  try {
    await ask(client);
  } finally {
    await client.close();
  }
}
