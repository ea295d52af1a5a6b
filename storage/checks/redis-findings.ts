import { findingsOf, gigabytes, shareFinding, type Finding } from './finding.js';

/** What a Redis reports about itself by INFO, and its `save` setting: null where CONFIG is not allowed. */
export interface RedisFacts {
  info: Readonly<Record<string, string>>;
  save: string | null;
}

const { ok, warning, unfit } = findingsOf('redis');

/** The fields of the text that INFO answers. */
export const parseInfo = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([a-z]\w*):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]));

/** Whether a Redis is fit to hold queues, results, limits and sessions. */
export function redisFindings({ info, save }: RedisFacts): Finding[] {
  return [
    version(info),
    policy(info),
    persistence(info, save),
    ...failedWrites(info),
    role(info),
    memory(info),
    connections(info),
  ];
}

function version(info: RedisFacts['info']): Finding {
  const isValkey = info.server_name === 'valkey';
  const number = (isValkey ? info.valkey_version : info.redis_version) ?? 'of unknown version';
  const found = `${isValkey ? 'Valkey' : 'Redis'} ${number}`;
  const isOld = (info.redis_version ?? '0').localeCompare('6.2', 'en', { numeric: true }) < 0;
  return isOld ? unfit('version', found, 'use Redis 6.2 or later') : ok('version', found);
}

function policy({ maxmemory_policy: found = 'unknown', maxmemory }: RedisFacts['info']): Finding {
  if (found === 'noeviction') return ok('maxmemory-policy', found);
  const advice =
    'set maxmemory-policy noeviction: with another policy Redis deletes waiting jobs when memory runs short';
  return maxmemory === '0'
    ? warning('maxmemory-policy', `${found}, no maxmemory`, advice)
    : unfit('maxmemory-policy', found, advice);
}

function persistence(info: RedisFacts['info'], save: string | null): Finding {
  if (info.aof_enabled === '1') return ok('persistence', 'append-only file');
  const advice = 'set appendonly yes';
  if (save === '') return unfit('persistence', 'none', `${advice}: a restart loses all jobs`);
  const found = save === null ? 'no append-only file' : `no append-only file, snapshots by save ${save}`;
  return warning('persistence', found, `${advice}: a crash loses the jobs since the last snapshot`);
}

function failedWrites(info: RedisFacts['info']): Finding[] {
  const failed = ['aof_last_write_status', 'aof_last_bgrewrite_status', 'rdb_last_bgsave_status'].filter(
    (name) => (info[name] ?? 'ok') !== 'ok',
  );
  return failed.length === 0
    ? []
    : [
        unfit(
          'last write to disk',
          failed.join(', '),
          'look into the log of Redis and at the space on its disk',
        ),
      ];
}

const role = (info: RedisFacts['info']): Finding =>
  info.role === 'slave'
    ? unfit('role', 'replica', 'set REDIS_URL to the primary: a replica refuses writes')
    : ok('role', 'primary');

/** The finding for a figure that INFO does not show, as with some hosted servers. */
const notShown = (check: string): Finding =>
  warning(check, 'unknown', 'INFO does not show it: look it up with the operator of this Redis');

function memory(info: RedisFacts['info']): Finding {
  if (info.used_memory === undefined) return notShown('memory');
  const used = Number(info.used_memory);
  const limit = Number(info.maxmemory);
  const of = limit > 0 ? limit : Number(info.total_system_memory ?? Infinity);
  const share = Number.isFinite(of) ? `${gigabytes(used)} of ${gigabytes(of)}` : gigabytes(used);
  const found = limit > 0 ? share : `${share}, no maxmemory`;
  return shareFinding('redis', 'memory', {
    used,
    of,
    found,
    advice: 'give Redis more memory, or lower RESULT_CACHE_MB',
  });
}

function connections({ connected_clients: used, maxclients: of }: RedisFacts['info']): Finding {
  if (used === undefined) return notShown('connections');
  const advice = 'raise maxclients';
  return shareFinding('redis', 'connections', {
    used: Number(used),
    of: Number(of ?? Infinity),
    found: `${used} of ${of ?? 'any number'}`,
    advice,
  });
}
