import type { Redis } from 'ioredis';
import type { Lease } from '../../../storage/servers/lease.js';
import { Leases } from '../../../storage/servers/leases.js';
import { RedisLeaseStore } from '../../../storage/servers/redis-lease-store.js';

const times = { leaseMs: 5_000, renewMs: 1_500 };

/**
 * The lease of a schedule for one of its runs; null while another run of it is under way. A worker that continues a run
 * which another worker has lost takes the lease over, and the signal of the other one is aborted.
 */
export const takeScheduleLease = (redis: Redis, name: string, jobId: string): Promise<Lease | null> =>
  new Leases(new RedisLeaseStore(redis, 'tidemark:schedule-turn:'), times).take(name, jobId);
