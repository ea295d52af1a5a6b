import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../../storage/accounts/secret-box.js';
import type { PartnerCredentials } from '../../../storage/users/partners.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const here = '192.0.2.7';
const firstKey = randomBytes(32);
const box = new SecretBox([firstKey]);

describe('PartnerRepository', () => {
  const context = temporaryStorage();
  const partners = () => context.storage.partners;

  async function anotherKey(name: string): Promise<PartnerCredentials> {
    const added = await partners().addKey(name, box);
    assert.ok(typeof added === 'object');
    return added;
  }

  it('gives a partner 10 keys at most, however many are asked for at once, until one is revoked', async () => {
    const { key } = await partners().add('Crowded', box);
    const asked = Array.from({ length: 15 }, () => partners().addKey('Crowded', box));
    const refused = (await Promise.all(asked)).filter((added) => added === 'full');
    assert.equal(refused.length, 6);
    await partners().revokeKey(key);
    await anotherKey('Crowded');
    assert.equal(await partners().addKey('Crowded', box), 'full');
    assert.equal(await partners().remove('Crowded'), true);
  });

  it('lets a user act for one partner, however often and for however many they are added at once', async () => {
    await partners().add('One', box);
    await partners().add('Two', box);
    const added = ['One', 'Two', 'One', 'Two'].map((name) => partners().addMember(name, 'user-1'));
    const results = await Promise.allSettled(added);
    const of = (await partners().ofMember('user-1'))!.name;
    assert.deepEqual(
      results.map(({ status }) => status),
      ['One', 'Two', 'One', 'Two'].map((name) => (name === of ? 'fulfilled' : 'rejected')),
    );
    const other = of === 'One' ? 'Two' : 'One';
    await assert.rejects(partners().addMember(other, 'user-1'), { code: 'already_exists' });
    assert.deepEqual(
      (await partners().members(of)).map(({ userId }) => userId),
      ['user-1'],
    );
    assert.deepEqual(await partners().members(other), []);
    assert.equal(await partners().removeMember('user-1', other), false);
    assert.equal(await partners().removeMember('user-1'), true);
    assert.equal(await partners().ofMember('user-1'), null);
    for (const name of ['One', 'Two']) await partners().remove(name);
  });

  it('finds a partner by key and secret, to the letter', async () => {
    const { key, secret } = await partners().add('Alpha', box);
    assert.match(key, /^[0-9a-f]{32}$/);
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
    assert.equal((await partners().admit({ key, secret }, here))?.partner.name, 'Alpha');
    const other = await partners().add('Beta', box);
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

  it('stores the SHA-256 of a secret and the secret encrypted, never as it is, and lists neither', async () => {
    const { secret } = await partners().add('Gamma', box);
    const stored = await context.db.collection('partners').find().toArray();
    assert.equal(JSON.stringify(stored).includes(secret), false);
    assert.equal(/secret|sealed/i.test(JSON.stringify(await partners().list())), false);
  });

  it('admits a key whose request is signed with its own secret', async () => {
    const { key, secret } = await partners().add('Iota', box);
    const other = await partners().add('Kappa', box);
    const admitted = async (shown: string, expected: string, opening = box) => {
      const isSignedWith = (opened: string | null) => opened === expected;
      return (
        (await partners().admitSigned({ key: shown, isSignedWith }, here, opening))?.partner.name ?? null
      );
    };
    assert.deepEqual(
      [await admitted(key, secret), await admitted(key, other.secret), await admitted('x', secret)],
      ['Iota', null, null],
    );
    await partners().bindKey(key, { addresses: ['198.51.100.0/24'] });
    assert.equal(await admitted(key, secret), null);
    await context.db
      .collection('partners')
      .updateOne({ 'keys.key': other.key }, { $unset: { 'keys.0.sealedSecret': 1 } });
    assert.equal(await admitted(other.key, other.secret), null);
    assert.equal((await partners().admit(other, here))?.partner.name, 'Kappa');
  });

  it('encrypts a secret with the first key once it is used, and says when no key opens it', async () => {
    const { key, secret } = await partners().add('Lambda', box);
    const isAdmitted = async (opening: SecretBox) =>
      (await partners().admitSigned({ key, isSignedWith: (opened) => opened === secret }, here, opening)) !==
      null;
    const newKey = randomBytes(32);
    await assert.rejects(isAdmitted(new SecretBox([newKey])), { code: 'secret_unreadable' });
    assert.equal(await isAdmitted(new SecretBox([newKey, firstKey])), true);
    assert.equal(await isAdmitted(new SecretBox([newKey])), true);
  });

  it('has one partner of a name', async () => {
    await partners().add('Delta', box);
    await assert.rejects(partners().add('Delta', box), { code: 'already_exists' });
  });

  it('gives another key beside the first, either of which can be revoked', async () => {
    const first = await partners().add('Epsilon', box);
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
    assert.equal(await partners().addKey('Nobody', box), 'unknown');
  });

  it('admits a key from the addresses and networks that it is bound to', async () => {
    const credentials = await partners().add('Eta', box);
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
    const credentials = await partners().add('Theta', box);
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
    const credentials = await partners().add('Zeta', box);
    assert.deepEqual([await partners().remove('Zeta'), await partners().remove('Zeta')], [true, false]);
    assert.equal(await partners().admit(credentials, here), null);
    const names = (await partners().list()).map(({ name }) => name);
    assert.deepEqual(names, [...names].sort());
    assert.equal(names.includes('Zeta'), false);
  });
});
