import assert from 'node:assert/strict';
import { hashPassword, passwordMatches } from '../../storage/password.js';

describe('hashPassword', () => {
  it('is argon2id with 19 MiB and 2 passes or more, salted', async () => {
    const [first, second] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
    const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(first) ?? [];
    assert.ok(Number(memory) >= 19_456 && Number(passes) >= 2, first);
    assert.notEqual(first, second);
  });
});

describe('passwordMatches', () => {
  it('is true for the password alone, to the letter', async () => {
    const hash = await hashPassword('Grüße 🙂');
    const matches = await Promise.all(
      ['Grüße 🙂', 'grüße 🙂', 'Grüße 🙂 ', ''].map((password) => passwordMatches(password, hash)),
    );
    assert.deepEqual(matches, [true, false, false, false]);
  });

  it('is false without a hash, whatever the password', async () => {
    assert.equal(await passwordMatches('a password nobody has', null), false);
  });
});
