import assert from 'node:assert/strict';
import { TickClock } from '../../../../jobs/signals/price-watch/tick-clock.js';

describe('TickClock', () => {
  let now = 0;
  const clockOf = () => new TickClock(() => now);

  for (const aheadMs of [-3_600_000, -60_000, 0, 8_000, 60_000])
    it(`tells the age of prices of a venue whose clock is ${aheadMs / 1_000} s ahead`, () => {
      now = 1_000_000;
      const clock = clockOf();
      const at = () => now + aheadMs;
      assert.equal(clock.heard(at() - 40), 0);
      assert.equal(clock.heard(at() - 20), 0);
      assert.equal(clock.heard(at() - 5_020), 5_000);
      now += 3_000;
      assert.equal(clock.ageOf(at() - 3_020), 3_000);
    });

  it('follows a clock that was set back', () => {
    now = 0;
    const clock = clockOf();
    clock.heard(now);
    for (; now < 63_000; now += 1_000) clock.heard(now - 20_000);
    assert.equal(clock.heard(now - 20_000), 0);
  });
});
