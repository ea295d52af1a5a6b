import assert from 'node:assert/strict';
import { reconnectDelayMs } from '../../../../../storage/exchanges/live/stream/reconnect-delay.js';

describe('reconnectDelayMs', () => {
  it('doubles with each failure up to a minute', () => {
    const delays = [0, 1, 2, 5, 6, 1_000].map((failures) => reconnectDelayMs(failures, 1_000, 1));
    assert.deepEqual(delays, [1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
  });

  it('is spread over its second half', () => {
    assert.deepEqual(
      [0, 0.5, 1].map((random) => reconnectDelayMs(1, 1_000, random)),
      [1_000, 1_500, 2_000],
    );
  });
});
