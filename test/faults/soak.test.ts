import assert from 'node:assert/strict';
import { growthOf } from '../support/soak/growth.js';
import { soak } from '../support/soak/soak.js';

describe('the growth of a figure', () => {
  it('is by the medians of its first and last third, for an hour', () => {
    const at = (minutes: number) => minutes * 60_000;
    const samples = [1, 2, 900, 3, 3, 3, 4, 0, 5].map((value, n) => ({
      at: at(10 * n),
      figures: { 'a figure': value, ...(n < 2 ? { 'gone soon': 1 } : {}) },
    }));
    const [growth, ...others] = growthOf(samples);
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...growth, perHour: Math.round(growth.perHour) },
      { name: 'a figure', from: 2, to: 4, perHour: 2, hours: 80 / 60 },
    );
  });
});

describe('a soak of a minute', function () {
  this.timeout(400_000);

  it('breaks something, loses nothing, and measures processes, keys and collections', async () => {
    const { faults, asked, failed, entries, growth, exit } = await soak(1 / 60, () => undefined, 12_000);
    assert.deepEqual(failed, []);
    assert.ok(asked > 10 && faults.length > 0);
    assert.ok(faults.every(({ times, asked }) => times > 0 && asked > 0));
    const sides = Object.values(entries);
    assert.deepEqual(
      sides.filter((each) => each.join() !== 'buy'),
      [],
    );
    const names = growth.map(({ name }) => name.replace(/ \d+:/, ':'));
    for (const name of ['gateway: memory, MB', 'gateway: handles', 'Redis: keys', 'MongoDB: users'])
      assert.ok(names.includes(name), `${name} of ${names.join('; ')}`);
    assert.equal(exit, 0);
  });
});
