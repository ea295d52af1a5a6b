import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computedSeconds, processesOf } from '../support/process/processes-of.js';
import { RoleChild } from '../support/process/role-child.js';
import { CommandProcess, freePort } from '../support/process/service-process.js';
import { percentile, printTable } from './measure.js';
import { cpuMs, residentMb } from './process-cost.js';
import { withStorage } from './with-storage.js';

/** How often each role starts; the table has the medians. */
const starts = 5;

/** What the start of each role costs until it is ready, beside servers that run. */
export async function benchRoles(): Promise<void> {
  const rows = [['role', 'until ready', 'CPU', 'memory']];
  await withStorage(async (_, { redisUrl, mongodbUrl }) => {
    for (const role of ['gateway', 'compute', 'market', 'signals'] as const) {
      const figures: number[][] = [];
      for (let n = 0; n < starts; n++) {
        const started = performance.now();
        const env = { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl, THREADS: '2', LOG_LEVEL: 'warn' };
        const child = await RoleChild.start(role, env);
        const readyMs = performance.now() - started;
        const { pid } = child.process;
        figures.push([readyMs, cpuMs(pid!), residentMb(pid!)]);
        await child.stop();
      }
      const [readyMs, cpu, mb] = [0, 1, 2].map((n) =>
        percentile(
          figures.map((each) => each[n]),
          0.5,
        ),
      );
      rows.push([role, `${readyMs.toFixed(0)} ms`, `${(cpu / 1_000).toFixed(2)} s`, `${mb.toFixed(0)} MB`]);
    }
  });
  printTable('start of each role, its servers running', rows);
}

/** What the first start of the service costs, which makes the demo history, and the second, which finds it. */
export async function benchStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-start-'));
  const env = { DATA_DIR: folder, LOG_LEVEL: 'warn', PORT: String(await freePort()) };
  const rows = [['start', 'until ready', 'CPU of all processes', 'their memory']];
  for (const name of ['first', 'second']) {
    const started = performance.now();
    const service = new CommandProcess(process.execPath, ['dist/jobs/run.js', 'start'], env);
    await service.printed(/Tidemark is ready/);
    const seconds = (performance.now() - started) / 1_000;
    const processes = processesOf(folder);
    const memory = processes.reduce((sum, { pid }) => sum + residentMb(pid), 0);
    const computed = computedSeconds(processes);
    rows.push([name, `${seconds.toFixed(1)} s`, `${computed.toFixed(1)} s`, `${memory.toFixed(0)} MB`]);
    await service.interrupt();
  }
  await rm(folder, { recursive: true, force: true });
  printTable('npm start with the demo market, its servers included', rows);
}
