import assert from 'node:assert/strict';
import type { PartnerCredentials } from '../../../storage/users/partners.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const here = '192.0.2.7';

describe('PartnerRepository', () => {
  const context = temporaryStorage();
  const partners = () => context.storage.partners;

  async function anotherKey(name: string): Promise<PartnerCredentials> {
    const added = await partners().addKey(name);
    assert.ok(typeof added === 'object');
    return added;
  }

  it('gives a partner 10 keys at most, however many are asked for at once, until one is revoked', async () => {
    const { key } = await partners().add('Crowded');
    const asked = Array.from({ length: 15 }, () => partners().addKey('Crowded'));
    const refused = (await Promise.all(asked)).filter((added) => added === 'full');
    assert.equal(refused.length, 6);
    await partners().revokeKey(key);
    await anotherKey('Crowded');
    assert.equal(await partners().addKey('Crowded'), 'full');
    assert.equal(await partners().remove('Crowded'), true);
  });

  it('finds a partner by key and secret, to the letter', async () => {
    const { key, secret } = await partners().add('Alpha');
    assert.match(key, /^[0-9a-f]{32}$/);
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
    assert.equal((await partners().admit({ key, secret }, here))?.partner.name, 'Alpha');
    const other = await partners().add('Beta');
    for (const wrong of [
      { key, secret: `${secret}\0` },
      { key, secret: '' },
      { key, secret: other.secret },
      { key: secret, secret: key },
      { key: '', secret: '' },
      { key: key.toUpperCase(), secret },
    ])
      assert.equal(await partners().admit(wrong, here), null, JSON.stringify(wrong));
  });

  it('stores the SHA-256 of a secret and never the secret', async () => {
    const { secret } = await partners().add('Gamma');
    const stored = await context.db.collection('partners').find().toArray();
    assert.equal(JSON.stringify(stored).includes(secret), false);
    assert.equal(JSON.stringify(await partners().list()).includes('secret'), false);
  });

  it('has one partner of a name', async () => {
    await partners().add('Delta');
    await assert.rejects(partners().add('Delta'), { code: 'already_exists' });
  });

  it('gives another key beside the first, either of which can be revoked', async () => {
    const first = await partners().add('Epsilon');
    const second = await anotherKey('Epsilon');
    for (const each of [first, second])
      assert.equal((await partners().admit(each, here))?.partner.name, 'Epsilon');
    assert.equal(await partners().admit({ key: first.key, secret: second.secret }, here), null);
    assert.equal(await partners().revokeKey(first.key), true);
    assert.equal(await partners().revokeKey(first.key), false);
    assert.equal(await partners().admit(first, here), null);
    assert.deepEqual(
      (await partners().admit(second, here))?.partner.keys.map(({ key }) => key),
      [second.key],
    );
    assert.equal(await partners().addKey('Nobody'), 'unknown');
  });

  it('admits a key from the addresses and networks that it is bound to', async () => {
    const credentials = await partners().add('Eta');
    const { key } = credentials;
    const isAdmitted = async (address: string) => (await partners().admit(credentials, address)) !== null;
    assert.equal(await isAdmitted('203.0.113.1'), true);
    const addresses = ['192.0.2.0/24', '2001:db8::/32', '198.51.100.9'];
    assert.equal(await partners().bindKey(key, { addresses }), true);
    const asked = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '198.51.100.9'];
    assert.deepEqual(await Promise.all(asked.map(isAdmitted)), [true, true, true, true]);
    const others = ['192.0.3.1', '198.51.100.10', '2001:db9::1', 'unknown', ''];
    assert.deepEqual(
      await Promise.all(others.map(isAdmitted)),
      others.map(() => false),
    );
    assert.equal(await partners().bindKey(key, { addresses: [] }), true);
    assert.equal(await isAdmitted('192.0.3.1'), true);
    assert.equal(await partners().bindKey('0'.repeat(32), { addresses: [] }), false);
  });

  it('notes the last use of a key, at most once a minute', async () => {
    const credentials = await partners().add('Theta');
    const usedAt = async () => (await partners().admit(credentials, here))?.key.lastUsedAt?.getTime() ?? null;
    assert.equal(await usedAt(), null);
    const now = Date.UTC(2026, 0, 1);
    await Promise.all([0, 1, 2, 3].map((ms) => partners().noteUse(credentials.key, now + ms)));
    const first = (await usedAt())!;
    assert.ok(first >= now && first <= now + 3);
    await partners().noteUse(credentials.key, first + 59_999);
    assert.equal(await usedAt(), first);
    await partners().noteUse(credentials.key, first + 60_000);
    assert.equal(await usedAt(), first + 60_000);
  });

  it('removes a partner with all keys', async () => {
    const credentials = await partners().add('Zeta');
    assert.deepEqual([await partners().remove('Zeta'), await partners().remove('Zeta')], [true, false]);
    assert.equal(await partners().admit(credentials, here), null);
    const names = (await partners().list()).map(({ name }) => name);
    assert.deepEqual(names, [...names].sort());
    assert.equal(names.includes('Zeta'), false);
  });
});
