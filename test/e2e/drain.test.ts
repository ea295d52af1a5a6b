import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processesOf } from '../support/process/processes-of.js';
import { ask } from '../support/process/role-child.js';
import { freePort, runNpm } from '../support/process/service-process.js';

const leaveMs = 8_000;

describe('npm start with LEAVE_MS', function () {
  this.timeout(120_000);

  it('serves every request until the gateway has left, and only then stops the other processes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark drain-'));
    const env = {
      DATA_DIR: folder,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      LEAVE_MS: String(leaveMs),
    };
    const service = runNpm(['start', '--silent'], env);
    const [, url, email, password] = await service.printed(
      /Tidemark is ready at (\S+)\n[^]*sign in as (\S+) with password (\S+)\n/,
    );
    const login = await ask(url, '/backend/login', { email, password });
    const token = String(login.payload.token);
    const started = performance.now();
    const exit = service.interrupt();
    const statuses = new Set<number>();
    let asked = 0;
    // Until shortly before the end, because an answer takes some time too.
    while (performance.now() - started < leaveMs - 1_000) {
      const body = { asset: 'BTC', interval: '1h', feePercent: ++asked / 1_000 };
      statuses.add((await ask(url, '/backend/core-line/backtest', body, token)).status);
      await pause(300);
    }
    assert.deepEqual([...statuses], [200]);
    assert.equal((await ask(url, '/readyz')).status, 503);
    await exit;
    assert.ok(performance.now() - started >= leaveMs);
    assert.deepEqual(processesOf(folder), []);
    assert.equal(service.errors, '');
    await rm(folder, { recursive: true, force: true });
  });
});
