import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computedSeconds, processesOf } from '../support/process/processes-of.js';
import { CommandProcess, freePort } from '../support/process/service-process.js';
import { printTable } from './measure.js';
import { residentMb } from './process-cost.js';

/** What the first start of the service costs, which makes the demo history, and the second, which finds it. */
export async function benchStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-start-'));
  const env = { DATA_DIR: folder, LOG_LEVEL: 'warn', PORT: String(await freePort()) };
  const rows = [['start', 'until ready', 'CPU of all processes', 'their memory']];
  for (const name of ['first', 'second']) {
    const started = performance.now();
    const service = new CommandProcess(process.execPath, ['dist/gateway/supervisor/start.js'], env);
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
