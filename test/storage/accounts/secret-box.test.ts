import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SecretBox } from '../../../storage/accounts/secret-box.js';

describe('SecretBox', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const box = new SecretBox([older]);

  it('gives back any text, sealed differently each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [one, other] = [box.seal(text, 'here'), box.seal(text, 'here')];
        assert.equal(box.open(one, 'here'), text);
        assert.notEqual(one.sealed, other.sealed);
      }),
    );
  });

  it('does not show the text, nor the key', () => {
    const sealed = JSON.stringify(box.seal('a secret of many letters', 'here'));
    assert.ok(!sealed.includes(Buffer.from('a secret of many').toString('base64').slice(0, 20)));
    assert.ok(!sealed.includes(older.toString('hex').slice(0, 12)));
  });

  it('refuses changed bytes and truncated secrets', () => {
    const secret = box.seal('secret', 'here');
    const bytes = Buffer.from(secret.sealed, 'base64');
    assert.equal(bytes.length, 12 + 6 + 16);
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] ^= 1;
      const tampered = { ...secret, sealed: changed.toString('base64') };
      assert.throws(() => box.open(tampered, 'here'), { code: 'secret_unreadable' }, `byte ${i}`);
      const cut = { ...secret, sealed: bytes.subarray(0, i).toString('base64') };
      assert.throws(() => box.open(cut, 'here'), { code: 'secret_unreadable' }, `cut at ${i}`);
    }
  });

  it('refuses a secret that was moved elsewhere', () => {
    assert.throws(() => box.open(box.seal('secret', 'ada:1'), 'eve:1'), {
      code: 'secret_unreadable',
      message: 'a stored secret cannot be read: it was changed, or belongs to something else',
    });
  });

  it('names the key that is missing', () => {
    const secret = box.seal('secret', 'here');
    assert.throws(() => new SecretBox([newer]).open(secret, 'here'), {
      code: 'secret_unreadable',
      message: `a stored secret cannot be read: it was sealed with key "${secret.keyId}", which SECRETS_KEY does not hold`,
    });
    const foreign = { ...secret, keyId: new SecretBox([newer]).seal('', '').keyId };
    assert.throws(() => new SecretBox([older, newer]).open(foreign, 'here'), { code: 'secret_unreadable' });
  });

  it('opens with any key and seals with the first', () => {
    const rotated = new SecretBox([newer, older]);
    const secret = box.seal('secret', 'here');
    assert.equal(rotated.open(secret, 'here'), 'secret');
    assert.equal(rotated.isOutdated(secret), true);
    const anew = rotated.seal('secret', 'here');
    assert.equal(rotated.isOutdated(anew), false);
    assert.throws(() => box.open(anew, 'here'), { code: 'secret_unreadable' });
  });

  it('takes keys of 32 bytes only', () => {
    for (const keys of [[], [randomBytes(31)], [older, Buffer.alloc(0)]])
      assert.throws(() => new SecretBox(keys), RangeError);
  });
});
