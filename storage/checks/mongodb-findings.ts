import { findingsOf, gigabytes, shareFinding, type Finding } from './finding.js';

/** What a MongoDB reports about itself. Answers of commands that the user may not run are absent. */
export interface MongodbFacts {
  buildInfo: { version?: string; secantusVersion?: string };
  hello: { setName?: string; isWritablePrimary?: boolean };
  serverStatus?: {
    storageEngine?: { name?: string; persistent?: boolean };
    connections?: { current?: number; available?: number };
  };
  cmdLine?: { parsed?: { storage?: { journal?: { enabled?: boolean } } } };
  dbStats?: { fsUsedSize?: number; fsTotalSize?: number };
  /** The members of the replica set: 1 is the primary, 2 a secondary. */
  replication?: { members?: { state: number; health: number }[] };
  /** The time that the oplog covers, in hours. */
  oplogHours?: number;
  /** Of `getParameter`. */
  compatibility?: { featureCompatibilityVersion?: { version?: string } };
  /** Ids of migrations that are to be run, and of stored ones that refuse this release. */
  migrations?: { pending: readonly string[]; refused: readonly string[] };
}

const { ok, warning, unfit } = findingsOf('mongodb');

/** Of the oplog: a member that is repaired within a day goes on by itself. */
const leastOplogHours = 24;

/** Whether a MongoDB is fit to hold candles, accounts and users. */
export function mongodbFindings(facts: MongodbFacts): Finding[] {
  return [
    version(facts),
    primary(facts),
    replicaSet(facts),
    ...members(facts),
    ...oplog(facts),
    ...compatibility(facts),
    ...storage(facts),
    ...disk(facts),
    ...connections(facts),
    ...schema(facts),
  ];
}

function version({
  buildInfo: { version: number = 'of unknown version', secantusVersion },
}: MongodbFacts): Finding {
  if (secantusVersion !== undefined)
    return unfit(
      'version',
      `SecantusDB ${secantusVersion}, a beta with the protocol of MongoDB ${number}`,
      'set MONGODB_URL to a MongoDB: SecantusDB is only for trials',
    );
  const isBefore = (other: string) => number.localeCompare(other, 'en', { numeric: true }) < 0;
  const found = `MongoDB ${number}`;
  if (isBefore('4.4')) return unfit('version', found, 'use MongoDB 6.0 or later');
  return isBefore('6.0')
    ? warning(
        'version',
        found,
        'use MongoDB 6.0 or later: this one is maintained no more, and before 5.0 backups need a standstill',
      )
    : ok('version', found);
}

const primary = ({ hello }: MongodbFacts): Finding =>
  hello.isWritablePrimary === true
    ? ok('role', 'primary')
    : unfit('role', 'not a primary', 'name the replica set in MONGODB_URL, so that its primary is found');

function replicaSet({ hello: { setName }, buildInfo }: MongodbFacts): Finding {
  // SecantusDB reports a set name, although it runs alone.
  const name = buildInfo.secantusVersion === undefined ? setName : undefined;
  return name === undefined
    ? warning('replica set', 'none', 'run a replica set: a single server is unavailable during each restart')
    : ok('replica set', name);
}

function members({ replication, buildInfo: { secantusVersion } }: MongodbFacts): Finding[] {
  const all = secantusVersion === undefined ? (replication?.members ?? []) : [];
  if (all.length === 0) return [];
  const healthy = all.filter(({ state, health }) => health === 1 && (state === 1 || state === 2)).length;
  const found = `${healthy} of ${all.length} with the data`;
  if (healthy < all.length) return [warning('members', found, 'look at rs.status(), and start the others')];
  return [
    all.length < 3
      ? warning('members', found, 'run three: with fewer no loss of a machine is survived')
      : ok('members', found),
  ];
}

function oplog({ oplogHours: hours }: MongodbFacts): Finding[] {
  if (hours === undefined) return [];
  const found = `covers ${hours < 100 ? hours.toFixed(1) : Math.round(hours)} h`;
  const advice = 'raise replication.oplogSizeMB: a member that is away for longer has to copy everything';
  return [hours < leastOplogHours ? warning('oplog', found, advice) : ok('oplog', found)];
}

function compatibility({ buildInfo: { version = '' }, compatibility: told }: MongodbFacts): Finding[] {
  const set = told?.featureCompatibilityVersion?.version;
  if (set === undefined) return [];
  return [
    version.startsWith(`${set}.`)
      ? ok('feature compatibility', set)
      : warning(
          'feature compatibility',
          `${set}, of MongoDB ${version}`,
          'run setFeatureCompatibilityVersion once no older version is needed: the next upgrade requires it',
        ),
  ];
}

function storage({ serverStatus, cmdLine }: MongodbFacts): Finding[] {
  const engine = serverStatus?.storageEngine;
  if (engine === undefined)
    return [warning('storage', 'unknown', 'let this user run serverStatus (role clusterMonitor)')];
  const journal = cmdLine?.parsed?.storage?.journal?.enabled !== false;
  return [
    engine.persistent === false
      ? unfit(
          'storage',
          `${engine.name}, in memory`,
          'use the storage engine wiredTiger: a restart loses everything',
        )
      : ok('storage', engine.name ?? 'on disk'),
    journal
      ? ok('journal', 'on')
      : unfit('journal', 'off', 'switch the journal on: a crash loses the writes of up to a minute'),
  ];
}

function disk({ dbStats }: MongodbFacts): Finding[] {
  const { fsUsedSize: used, fsTotalSize: of } = dbStats ?? {};
  if (used === undefined || of === undefined) return [];
  const found = `${gigabytes(of - used)} of ${gigabytes(of)} free`;
  return [shareFinding('mongodb', 'disk', { used, of, found, advice: 'give MongoDB a larger disk' })];
}

function connections({ serverStatus }: MongodbFacts): Finding[] {
  const { current, available = 0 } = serverStatus?.connections ?? {};
  // SecantusDB has no limit and reports 0.
  if (current === undefined || available === 0) return [];
  const of = current + available;
  return [
    shareFinding('mongodb', 'connections', {
      used: current,
      of,
      found: `${current} of ${of}`,
      advice: 'raise net.maxIncomingConnections',
    }),
  ];
}

function schema({ migrations }: MongodbFacts): Finding[] {
  if (migrations === undefined) return [];
  const { pending, refused } = migrations;
  if (refused.length > 0)
    return [
      unfit(
        'migrations',
        `unknown: ${refused.join(', ')}`,
        'start the release that made them, or restore a backup',
      ),
    ];
  const found = pending.length === 0 ? 'all applied' : `the next start applies ${pending.join(', ')}`;
  return [ok('migrations', found)];
}
