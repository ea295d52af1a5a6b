import assert from 'node:assert/strict';
import type { PartnerCredentials } from '../../../storage/users/partners.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

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
    assert.equal((await partners().find({ key, secret }))?.name, 'Alpha');
    const other = await partners().add('Beta');
    for (const wrong of [
      { key, secret: `${secret}\0` },
      { key, secret: '' },
      { key, secret: other.secret },
      { key: secret, secret: key },
      { key: '', secret: '' },
      { key: key.toUpperCase(), secret },
    ])
      assert.equal(await partners().find(wrong), null, JSON.stringify(wrong));
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
    for (const each of [first, second]) assert.equal((await partners().find(each))?.name, 'Epsilon');
    assert.equal(await partners().find({ key: first.key, secret: second.secret }), null);
    assert.equal(await partners().revokeKey(first.key), true);
    assert.equal(await partners().revokeKey(first.key), false);
    assert.equal(await partners().find(first), null);
    assert.deepEqual(
      (await partners().find(second))?.keys.map(({ key }) => key),
      [second.key],
    );
    assert.equal(await partners().addKey('Nobody'), 'unknown');
  });

  it('removes a partner with all keys', async () => {
    const credentials = await partners().add('Zeta');
    assert.deepEqual([await partners().remove('Zeta'), await partners().remove('Zeta')], [true, false]);
    assert.equal(await partners().find(credentials), null);
    const names = (await partners().list()).map(({ name }) => name);
    assert.deepEqual(names, [...names].sort());
    assert.equal(names.includes('Zeta'), false);
  });
});
