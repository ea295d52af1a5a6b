import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { requireKeyText } from '../../../storage/exchanges/key-text.js';

const good = { apiKey: 'aKey', secret: 'aSecret', passphrase: 'a pass phrase' };
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

describe('requireKeyText', () => {
  it('accepts printable ASCII, a key without a passphrase, and a secret that is a private key', () => {
    requireKeyText(good);
    requireKeyText({ ...good, passphrase: null });
    requireKeyText({ ...good, secret: pem });
    requireKeyText({ ...good, secret: pem.trimEnd().replaceAll('\n', '\r\n') });
  });

  const controls = [...Array.from({ length: 32 }, (_, n) => n), 0x7f, 0x80, 0x85, 0x9f, 0xa0, 0x2028, 0xfeff];
  const fields = [
    ['apiKey', 'apiKey', 'printable ASCII in one line'],
    ['secret', 'apiSecret', 'printable ASCII in one line, or a private key in PEM form'],
    ['passphrase', 'passphrase', 'printable ASCII in one line'],
  ] as const;
  for (const [name, field, meaning] of fields)
    it(`refuses control characters and what is no ASCII in ${name}, and does not repeat the text`, () => {
      for (const code of controls)
        for (const text of [
          String.fromCodePoint(code),
          `abc${String.fromCodePoint(code)}`,
          `a${String.fromCodePoint(code)}c`,
        ])
          assert.throws(() => requireKeyText({ ...good, [name]: text }), {
            code: 'invalid_input',
            message: `"${field}" must be ${meaning}`,
            details: { field },
          });
    });

  it('refuses an empty key, one that is too long, and a private key as anything but the secret', () => {
    for (const bad of [
      { apiKey: '' },
      { secret: '' },
      { apiKey: 'k'.repeat(4_097) },
      { apiKey: pem },
      { passphrase: pem },
    ])
      assert.throws(() => requireKeyText({ ...good, ...bad }), { code: 'invalid_input' });
    for (const secret of [`${pem}x`, `x${pem}`, pem.replace('BEGIN', 'END'), `${pem}\n\n`])
      assert.throws(() => requireKeyText({ ...good, secret }), { code: 'invalid_input' });
  });
});
