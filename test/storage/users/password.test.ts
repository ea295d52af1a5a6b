import assert from 'node:assert/strict';
import type { AppError } from '../../../compute/model/errors.js';
import { comparedHash, hashPassword, passwordMatches } from '../../../storage/users/password.js';

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

  it('is true for the same text from another keyboard', async () => {
    const hash = await hashPassword('Gr\u00fc\u00dfe');
    assert.equal(await passwordMatches('Gru\u0308\u00dfe', hash), true);
    assert.equal(await passwordMatches('Gr\u00fc\u00dfe', await hashPassword('Gru\u0308\u00dfe')), true);
  });

  it('is false without a hash, whatever the password', async () => {
    assert.equal(await passwordMatches('a password nobody has', null), false);
  });

  it('does the same work without a hash: one of the same parameters and lengths is compared', async () => {
    const [own, decoy] = [await comparedHash(await hashPassword('secret')), await comparedHash(null)];
    const shape = (hash: string) => {
      const [, parameters, salt, digest] = /^(\$argon2id\$v=19\$[^$]+)\$([^$]+)\$([^$]+)$/.exec(hash)!;
      return [parameters, salt.length, digest.length];
    };
    assert.deepEqual(shape(decoy), shape(own));
    assert.equal(await comparedHash(null), decoy);
  });

  it('looks at all of a long password, well beyond the 72 bytes where others stop', async () => {
    const long = 'a'.repeat(1_023);
    const hash = await hashPassword(`${long}b`);
    const matches = [`${long}b`, `${long}c`, long, long.slice(0, 72)];
    assert.deepEqual(await Promise.all(matches.map((each) => passwordMatches(each, hash))), [
      true,
      false,
      false,
      false,
    ]);
  });

  it('refuses passwords that would wait for long', async () => {
    const hash = await hashPassword('secret');
    const asked = Array.from({ length: 100 }, () => passwordMatches('secret', hash));
    const results = await Promise.allSettled(asked);
    const refused = results.filter((result) => result.status === 'rejected');
    // 64 wait and one or two are at it; on a slow machine some of them wait for too long.
    assert.ok(refused.length >= 34 && refused.length < 99, `${refused.length}`);
    for (const { reason } of refused) {
      assert.equal((reason as AppError).code, 'queue_full');
      assert.equal((reason as AppError).details.retryAfterSeconds, 2);
    }
    assert.equal(await passwordMatches('secret', hash), true);
  });
});
