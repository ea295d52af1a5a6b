import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { openSecretBox } from '../../storage/accounts/open-secret-box.js';
import { createBackup } from '../../storage/backup/create-backup.js';
import { noteBackup } from '../../storage/backup/last-backup.js';
import { firstDifference } from '../../storage/backup/first-difference.js';
import { listBackups, type BackupManifest } from '../../storage/backup/manifest.js';
import { verifyBackup } from '../../storage/backup/read-backup.js';
import { requireEmpty, requireKnownMigrations, restoreBackup } from '../../storage/backup/restore-backup.js';
import { listNodes } from '../../storage/cluster/nodes.js';
import { allQueueNames } from '../../storage/cluster/queues.js';
import type { Settings } from '../../storage/process/settings.js';
import { openMongo } from '../../storage/servers/mongo.js';
import { connected, failFast, openRedis } from '../../storage/servers/redis.js';
import { requireServers } from '../../storage/servers/require-servers.js';
import { redisUrls } from '../../storage/servers/redis-url.js';
import { choice, required } from './cli/command-option.js';
import { defineCommand, defineNoun, type CommandResult } from './cli/define-command.js';
import { tableOf } from './cli/table-of.js';
import { withUncheckedServers, type UncheckedContext } from './cli/with-servers.js';

/** What commands about backups need: the database as it is, without migrations. */
interface BackupContext extends Pick<UncheckedContext, 'report'> {
  settings: Settings;
  db: Db;
  redis: Redis;
  /** The Redis after the first, which hold requests. */
  others: Redis[];
}

const timeoutMs = 120_000;

const open = (name: string, work: (context: BackupContext) => Promise<CommandResult>) =>
  withUncheckedServers(name, async ({ settings, servers, report }) => {
    await requireServers(servers.redisUrl, servers.mongodbUrl);
    const mongo = openMongo(servers.mongodbUrl, { timeoutMs });
    const opened = redisUrls(servers.redisUrl).map((url) => openRedis(url, failFast));
    const [redis, ...others] = opened;
    try {
      await Promise.all(opened.map(connected));
      return await work({ settings, db: mongo.db, redis, others, report });
    } finally {
      for (const each of opened) each.disconnect();
      await mongo.close();
    }
  });

const from = required({ value: 'folder', meaning: 'folder of the backup' });

/** Throws `service_running`, which names the live processes. */
async function requireStopped(redis: Redis, why: string): Promise<void> {
  const alive = (await listNodes(redis)).filter(({ lost }) => !lost);
  if (alive.length === 0) return;
  const names = alive.map(({ role, host, pid }) => `${role} ${host}:${pid}`).join(', ');
  throw new AppError('service_running', `${why}; stop the service first (running: ${names})`);
}

const create = defineCommand({
  name: 'create',
  summary: 'Save all that is stored in MongoDB to a folder',
  details: `The service may run: all is read at one moment where MongoDB runs as a replica set. Redis is not saved, and no key of
SECRETS_KEY: keep that elsewhere. Files are written for their owner alone; mongorestore reads them, too.`,
  options: { to: required({ value: 'folder', meaning: 'folder that is new or empty, one for each backup' }) },
  examples: ['npm run admin -- backup create --to /backups/2026-11-25'],
  open,
  async run({ to }, { db, redis }: BackupContext) {
    const why = 'this MongoDB is no replica set and cannot be read at one moment while the service writes';
    const manifest = await createBackup(db, to, () => requireStopped(redis, why));
    await noteBackup(redis, manifest.startedAt);
    return { data: { folder: to, ...manifest }, lines: [`saved to ${to}`, ...describe(manifest)] };
  },
});

const verify = defineCommand({
  name: 'verify',
  summary: 'Read a backup and say whether it is whole and can be restored here',
  options: { from },
  examples: ['npm run admin -- backup verify --from /backups/2026-11-25'],
  open: offline,
  async run({ from: folder }, { settings }: Pick<BackupContext, 'settings'>) {
    const manifest = await verifyBackup(folder, await openSecretBox(settings));
    requireKnownMigrations(manifest);
    return { data: { folder, ...manifest }, lines: [`${folder} is whole`, ...describe(manifest)] };
  },
});

const list = defineCommand({
  name: 'list',
  summary: 'List the backups in a folder, the newest first',
  options: { in: required({ value: 'folder', meaning: 'folder that holds the folders of backups' }) },
  examples: ['npm run admin -- backup list --in /backups'],
  open: offline,
  async run({ in: folder }) {
    const found = await listBackups(folder);
    const rows = found.map(({ name, manifest }) => [
      name,
      manifest.startedAt,
      manifest.version,
      manifest.consistency,
      String(documentsOf(manifest)),
    ]);
    const lines = tableOf(['backup', 'begun', 'release', 'consistency', 'documents'], rows);
    return {
      data: found.map(({ name, manifest }) => ({ name, ...manifest })),
      lines: found.length === 0 ? [`there are no backups in "${folder}"`] : lines,
    };
  },
});

const restore = defineCommand({
  name: 'restore',
  summary: 'Put a backup in place of the stored data',
  details: `Checks first that the backup is whole, that this release and SECRETS_KEY can use it, that no process runs, and that the database is
empty. Then it writes, ends all sessions, empties the keys of the service in Redis, and halts new entries of signals, because
exchanges are ahead of the backup: start the service, let it compare the accounts, look at "trading foreign", then "trading resume".`,
  options: {
    from,
    replace: choice({
      value: 'yes-or-no',
      meaning: 'whether stored data may be deleted for it',
      choices: ['yes', 'no'],
      default: 'no',
    }),
  },
  examples: [
    'npm run admin -- backup restore --from /backups/2026-11-25',
    'npm run admin -- backup restore --from /backups/2026-11-25 --replace yes',
  ],
  open,
  async run({ from: folder, replace }, { settings, db, redis, others }: BackupContext) {
    const manifest = await verifyBackup(folder, await openSecretBox(settings));
    requireKnownMigrations(manifest);
    await requireStopped(redis, 'nothing may write while a backup is restored');
    if (replace === 'no') await requireEmpty(db);
    const startedAt = Date.now();
    await restoreBackup(db, folder, manifest);
    let keys = 0;
    for (const each of [redis, ...others]) keys += await emptyRedis(each);
    const ms = Date.now() - startedAt;
    return {
      data: { folder, manifest, ms, redisKeys: keys },
      lines: [
        `restored ${folder} in ${seconds(ms)}`,
        ...describe(manifest),
        'all sessions are ended; what was written after the backup is lost',
        `${keys} keys in Redis were deleted: limits and last runs count anew, dead jobs are gone`,
        'new entries of signals are halted: start the service, look at "trading foreign", then run "trading resume"',
      ],
    };
  },
});

const drill = defineCommand({
  name: 'drill',
  summary: 'Restore a backup into a database of its own, compare all documents, and delete it again',
  details:
    'The service may run. Says how old the backup is (what a loss would cost) and how long a restore takes.',
  options: { from },
  examples: ['npm run admin -- backup drill --from /backups/2026-11-25'],
  open,
  async run({ from: folder }, { settings, db }: BackupContext) {
    const startedAt = Date.now();
    const manifest = await verifyBackup(folder, await openSecretBox(settings));
    requireKnownMigrations(manifest);
    const other = db.client.db(`${db.databaseName}_drill_${randomBytes(4).toString('hex')}`);
    try {
      await restoreBackup(other, folder, manifest);
      const ms = Date.now() - startedAt;
      const difference = await firstDifference(other, folder, manifest);
      const ageMs = startedAt - Date.parse(manifest.startedAt);
      return {
        data: {
          folder,
          isEqual: difference === null,
          difference,
          recoveryPointMs: ageMs,
          recoveryTimeMs: ms,
        },
        lines: [
          difference ?? `all ${documentsOf(manifest)} documents are equal`,
          `recovery point: the backup is ${seconds(ageMs)} old`,
          `recovery time: checked and restored in ${seconds(ms)}`,
        ],
        isFailure: difference !== null,
      };
    } finally {
      await other.dropDatabase();
    }
  },
});

/** For commands that read a folder alone. */
async function offline(
  _name: string,
  work: (context: Pick<BackupContext, 'settings'>) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { readSettings } = await import('../../storage/process/read-settings.js');
  return work({ settings: readSettings() });
}

/** Deletes the keys of the service, those of its queues included. Answers how many. */
async function emptyRedis(redis: Redis): Promise<number> {
  let deleted = 0;
  for (const pattern of ['tidemark:*', ...allQueueNames.map((queue) => `bull:${queue}:*`)])
    for await (const keys of redis.scanStream({ match: pattern, count: 1_000 }) as AsyncIterable<string[]>)
      if (keys.length > 0) deleted += await redis.unlink(...keys);
  return deleted;
}

const documentsOf = ({ collections }: BackupManifest) =>
  collections.reduce((sum, { documents }) => sum + documents, 0);

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

const consistencyWords: Record<BackupManifest['consistency'], string> = {
  snapshot: 'all at one moment',
  'candles-later': 'all at one moment, but candles, which were read later',
  stopped: 'while the service was stopped',
};

const describe = (manifest: BackupManifest): string[] => [
  `begun ${manifest.startedAt} by release ${manifest.version}, read ${consistencyWords[manifest.consistency]} in ${seconds(manifest.ms)}`,
  `${documentsOf(manifest)} documents of ${manifest.collections.length} collections; sealed with keys: ${manifest.sealingKeys.join(', ') || 'none'}`,
];

export const backupCommand = defineNoun('backup', {
  summary: 'Backups: make, check, restore, rehearse',
  examples: [
    'npm run admin -- backup create --to /backups/2026-11-25',
    'npm run admin -- backup drill --from /backups/2026-11-25',
  ],
  commands: [create, drill, list, restore, verify],
});
