import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RoleProcess } from '../../gateway/supervisor/role-process.js';
import { openServers } from '../../storage/embedded/open-servers.js';
import { bundleOf } from '../../storage/process/asset.js';
import { closeOnSignals } from '../support/process/close-on-signals.js';
import { unlimited } from '../support/gateway/unlimited.js';
import { serversDir } from '../support/servers/servers.js';

/** Servers of a benchmark's own, and processes over them. */
export interface BenchService {
  redisUrl: string;
  mongodbUrl: string;
  /** Starts a module as a process that runs until the benchmark ends. */
  start: (
    name: string,
    module: URL,
    args?: string[],
    settings?: Record<string, string>,
  ) => Promise<RoleProcess>;
}

export const gatewayModule = bundleOf('gateway/main');
export const jobsModule = new URL('../../jobs/run.js', import.meta.url);

/** Runs a benchmark over servers of its own, which end with it. The market is what it stores as `csv`. */
export async function withBenchService(bench: (service: BenchService) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const settings = { REDIS_URL: '', MONGODB_URL: '', DATA_DIR: folder, SERVERS_DIR: serversDir };
  const report = (line: string) => console.error(line);
  const options = { settings, holder: 'service', name: 'bench', running: 'refuse', report } as const;
  const servers = await openServers(options);
  const { redisUrl, mongodbUrl } = servers;
  const env = {
    ...unlimited,
    PATH: process.env.PATH,
    REDIS_URL: redisUrl,
    MONGODB_URL: mongodbUrl,
    MARKET: 'csv',
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const started: RoleProcess[] = [];
  const close = closeOnSignals(async () => {
    await Promise.all(started.map((process) => process.stop()));
    await servers.close();
    await rm(folder, { recursive: true, force: true });
  });
  try {
    await bench({
      redisUrl,
      mongodbUrl,
      start: async (name, module, args = [], own = {}) => {
        const process = new RoleProcess({
          role: name,
          module,
          args,
          env: { ...env, ...own },
          stopMs: 10_000,
          report,
        });
        started.push(process);
        await process.start();
        return process;
      },
    });
  } finally {
    await close();
  }
}
