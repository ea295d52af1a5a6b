import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { JobClient } from '../../jobs/requests/job-client.js';
import { light } from '../support/jobs/ledger-jobs.js';
import { OwnServer } from '../support/servers/own-server.js';

describe('questions that travel together while Redis hangs', () => {
  it('are all refused at one time limit, however many wait for the first of them to leave', async () => {
    const redis = await OwnServer.open('redis');
    const queues = await JobClient.open(redis.url, { depthLimit: 1_000 });
    redis.freeze();
    try {
      const started = performance.now();
      const asked = Array.from({ length: 300 }, (_, n) =>
        assert.rejects(
          queues.run(light, { n, ms: 0 }, { traceId: 'test', owner: String(n % 7) }),
          (error) => error instanceof AppError && error.code === 'redis_unavailable',
        ),
      );
      await Promise.race(asked);
      // Timers of one process end in their order: a second time limit, after the first, would end after this one.
      const second = delay(performance.now() - started, 'late');
      assert.notEqual(await Promise.race([Promise.all(asked), second]), 'late');
    } finally {
      redis.thaw();
      await queues.close();
      await redis.close();
    }
  });
});
