import assert from 'node:assert/strict';
import { AppError } from '../../compute/model/errors.js';
import { JobClient } from '../../jobs/requests/job-client.js';
import { light } from '../support/jobs/ledger-jobs.js';
import { OwnServer } from '../support/servers/own-server.js';
import { ownClock } from '../support/process/own-clock.js';

describe('questions that travel together while Redis hangs', () => {
  it('are all refused within a second, however many wait for the first of them to leave', async () => {
    const redis = await OwnServer.open('redis');
    const queues = await JobClient.open(redis.url, { depthLimit: 1_000 });
    redis.freeze();
    try {
      const passedMs = ownClock();
      const asked = Array.from({ length: 300 }, (_, n) =>
        assert.rejects(
          queues.run(light, { n, ms: 0 }, { traceId: 'test', owner: String(n % 7) }),
          (error) => error instanceof AppError && error.code === 'redis_unavailable',
        ),
      );
      await Promise.all(asked);
      // One time limit of 0.7 s: two in a row would be 1.4 s.
      assert.ok(passedMs() < 1_350, `${passedMs()} ms`);
    } finally {
      redis.thaw();
      await queues.close();
      await redis.close();
    }
  });
});
