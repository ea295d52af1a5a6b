import assert from 'node:assert/strict';
import { linkHashOf, newLinkToken, type WaitingMail } from '../../../storage/mail/mails.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const hourMs = 3_600_000;
const leaseMs = 60_000;

describe('mails', () => {
  const context = temporaryStorage();
  const mails = () => context.storage.mails;
  const stored = () => context.db.collection('mails').find().toArray();
  beforeEach(() => context.db.collection('mails').deleteMany({}));
  const take = async (now = Date.now()): Promise<WaitingMail> => (await mails().takeDue(now, leaseMs))!;
  /** A link that was sent. */
  const sentLink = async (email = 'ada@example.com', kind: 'verify' | 'reset' = 'reset') => {
    await mails().ask(kind, email);
    const mail = await take();
    const token = (await mails().issueLink(mail, 'ada'))!;
    await mails().sent(mail);
    return token;
  };

  it('are taken once, oldest first, and again when their lease is over', async () => {
    await mails().ask('verify', 'Ada@Example.com');
    await mails().ask('reset', 'ada@example.com');
    const now = Date.now();
    const [first, second, none] = [await take(now), await take(now), await take(now)];
    assert.deepEqual([first.kind, second.kind].sort(), ['reset', 'verify']);
    assert.deepEqual([first.email, first.attempts, none], ['ada@example.com', 1, null]);
    const again = await take(now + leaseMs);
    assert.deepEqual([again.kind, again.attempts], [first.kind, 2]);
  });

  it('are taken by one of many processes', async () => {
    for (let n = 0; n < 5; n++) await mails().ask('verify', `user${n}@example.com`);
    const others = [context.another(), context.another()];
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, n) => others[n % 2].mails.takeDue(Date.now(), leaseMs)),
    );
    const emails = taken.filter((mail) => mail !== null).map(({ email }) => email);
    assert.deepEqual(
      emails.sort(),
      Array.from({ length: 5 }, (_, n) => `user${n}@example.com`),
    );
  });

  it('are not due while they are postponed, and no more when they are sent or dropped', async () => {
    await mails().ask('verify', 'ada@example.com');
    const mail = await take();
    const later = Date.now() + hourMs;
    await mails().postpone(mail, new Date(later));
    assert.equal(await take(later - 1), null);
    assert.equal((await take(later)).requestId, mail.requestId);
    await mails().sent(mail);
    assert.equal(await take(later + hourMs), null);
    await mails().drop(mail);
    assert.deepEqual(await stored(), []);
  });

  it('are replaced by a later request for the same mail, also while they are being sent', async () => {
    await mails().ask('reset', 'ada@example.com');
    const old = await take();
    await mails().ask('reset', 'ADA@example.com');
    assert.equal(await mails().issueLink(old, 'ada'), null);
    await mails().sent(old);
    await mails().drop(old);
    await mails().postpone(old, new Date(Date.now() + hourMs));
    const next = await take();
    assert.notEqual(next.requestId, old.requestId);
    assert.equal(next.attempts, 1);
    assert.equal((await stored()).length, 1);
  });

  it('asked for at the same time are one', async () => {
    await Promise.all(Array.from({ length: 10 }, () => mails().ask('reset', 'ada@example.com')));
    assert.equal((await stored()).length, 1);
    assert.notEqual(await take(), null);
    assert.equal(await take(), null);
  });

  describe('their links', () => {
    it('work once: of 20 calls at the same time one gets the owner', async () => {
      const token = await sentLink();
      const owner = { userId: 'ada', email: 'ada@example.com' };
      assert.deepEqual(await mails().ownerOf('reset', token), owner);
      const others = [context.another(), context.another()];
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) => others[n % 2].mails.claim('reset', token)),
      );
      assert.deepEqual(
        claims.filter((claimed) => claimed !== null),
        [owner],
      );
      assert.equal(await mails().ownerOf('reset', token), null);
    });

    it('are for their purpose alone', async () => {
      const token = await sentLink('ada@example.com', 'verify');
      assert.equal(await mails().claim('reset', token), null);
      assert.notEqual(await mails().claim('verify', token), null);
    });

    it('expire an hour or a day after they were sent', async () => {
      for (const [kind, ms] of [
        ['reset', hourMs],
        ['verify', 24 * hourMs],
      ] as const) {
        await mails().ask(kind, 'ada@example.com');
        const mail = await take();
        const now = Date.now();
        const token = (await mails().issueLink(mail, 'ada', now))!;
        assert.notEqual(await mails().ownerOf(kind, token, now + ms - 1), null);
        assert.equal(await mails().claim(kind, token, now + ms), null);
      }
    });

    it('work until a newer one is sent', async () => {
      const old = await sentLink();
      await mails().ask('reset', 'ada@example.com');
      assert.notEqual(await mails().ownerOf('reset', old), null);
      const token = (await mails().issueLink(await take(), 'ada'))!;
      assert.equal(await mails().claim('reset', old), null);
      assert.notEqual(await mails().claim('reset', token), null);
    });

    it('are stored as SHA-256 alone', async () => {
      const token = await sentLink();
      const text = JSON.stringify(await stored());
      assert.ok(!text.includes(token));
      assert.ok(text.includes(linkHashOf(token)!));
    });

    it('have tokens of 256 bits; other texts are none', async () => {
      const tokens = Array.from({ length: 100 }, newLinkToken);
      assert.equal(new Set(tokens).size, 100);
      for (const token of tokens) assert.equal(Buffer.from(token, 'base64url').length, 32);
      for (const text of [
        '',
        'x',
        'x'.repeat(42),
        'x'.repeat(44),
        `${'x'.repeat(42)}$`,
        'x'.repeat(43) + '\n',
      ])
        assert.equal(linkHashOf(text), null);
    });

    it('end with the password, those to confirm an e-mail do not', async () => {
      const [reset, verify] = [await sentLink(), await sentLink('ada@example.com', 'verify')];
      await mails().endLinks('ada', 'reset');
      assert.equal(await mails().claim('reset', reset), null);
      assert.notEqual(await mails().claim('verify', verify), null);
    });
  });

  it('go with their user, and when they have expired', async () => {
    await sentLink('ada@example.com');
    await context.storage.owned.removeAll('ada');
    assert.deepEqual(await stored(), []);
    await sentLink('ada@example.com');
    await mails().ask('verify', 'bob@example.com');
    assert.equal(await context.storage.expiring.drop('mails', new Date(Date.now() + 2 * hourMs)), 1);
    assert.equal(await context.storage.expiring.drop('mails', new Date(Date.now() + 25 * hourMs)), 1);
  });
});
