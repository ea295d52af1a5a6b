import assert from 'node:assert/strict';
import type { Storage } from '../../../storage/index.js';
import { AuditLog } from '../../../storage/users/audit-log.js';
import { clientName } from '../../../storage/users/client-name.js';
import { logLines } from '../../support/process/log-lines.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const hourMs = 3_600_000;
const source = { address: '2001:db8:1:2:3::4', client: 'test/1.0' };
const noon = Date.UTC(2026, 10, 1, 12);

describe('the audit log', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  let users = 0;
  const freshUser = () => `audited-${++users}`;
  const open = (auditEvents: Pick<Storage['auditEvents'], 'add' | 'count'> = context.storage.auditEvents) => {
    const { log, lines } = logLines();
    const clock = { now: noon };
    return { audit: new AuditLog({ auditEvents, log, now: () => clock.now, spacingMs: 5 }), clock, lines };
  };
  const list = (userId: string, more = {}) =>
    context.storage.auditEvents.list({ userId, limit: 50, ...more });

  it('keeps who, when, what and the network, the newest first', async () => {
    const { audit, clock } = open();
    const userId = freshUser();
    audit.note('sign_in', userId, source, { by: 'password' });
    clock.now += 1_000;
    audit.note('token_made', userId, source, { name: 'laptop' });
    await audit.close();
    const { events, unlisted, next } = await list(userId);
    assert.deepEqual(
      events.map(({ id, ...event }) => (assert.match(id, /^[0-9a-f]{24}$/), event)),
      [
        {
          ...{ userId, at: new Date(noon + 1_000), event: 'token_made', address: '2001:db8:1:2::/64' },
          ...{ client: 'test/1.0', details: { name: 'laptop' } },
        },
        {
          ...{ userId, at: new Date(noon), event: 'sign_in', address: '2001:db8:1:2::/64' },
          ...{ client: 'test/1.0', details: { by: 'password' } },
        },
      ],
    );
    assert.deepEqual([unlisted, next], [[], null]);
  });

  it('keeps 20 of a kind in an hour and counts the rest, over several processes', async () => {
    const userId = freshUser();
    const opened = [open(), open(), open()];
    for (let n = 0; n < 500; n++)
      for (const { audit } of opened) audit.note('failed_sign_in', userId, source);
    for (const { audit } of opened) audit.note('sign_in', userId, source);
    await Promise.all(opened.map(({ audit }) => audit.close()));
    const { events, unlisted } = await list(userId);
    const namesOf = (name: string) => events.filter(({ event }) => event === name).length;
    assert.deepEqual([namesOf('failed_sign_in'), namesOf('sign_in')], [20, 3]);
    assert.deepEqual(unlisted, [{ event: 'failed_sign_in', hour: new Date(noon), count: 1_480 }]);
    const stored = await context.db.collection('audit_events').countDocuments({ userId });
    assert.equal(stored, 23);
  });

  it('starts anew with each hour, and shows the count of an hour on one page alone', async () => {
    const { audit, clock } = open();
    const userId = freshUser();
    for (const hour of [0, 1, 2]) {
      clock.now = noon + hour * hourMs;
      for (let n = 0; n < 21 + hour; n++) audit.note('failed_sign_in', userId, source);
    }
    await audit.close();
    const counted = [];
    let after: string | undefined;
    let listed = 0;
    do {
      const page = await list(userId, { limit: 7, after });
      listed += page.events.length;
      counted.push(...page.unlisted.map(({ hour, count }) => [(hour.getTime() - noon) / hourMs, count]));
      after = page.next ?? undefined;
    } while (after !== undefined);
    assert.equal(listed, 60);
    assert.deepEqual(counted, [
      [2, 3],
      [1, 2],
      [0, 1],
    ]);
  });

  it('counts and stores an event once, however often its write is repeated', async () => {
    const { auditEvents } = context.storage;
    let failures = 1;
    let losses = 1;
    const { audit, lines } = open({
      count: async (hour, more, batch) => {
        const counted = await auditEvents.count(hour, more, batch);
        if (losses-- > 0) throw new Error('the answer of the count is lost');
        return counted;
      },
      add: async (events) => {
        await auditEvents.add(events);
        if (failures-- > 0) throw new Error('the answer of the write is lost');
      },
    });
    const userId = freshUser();
    for (let n = 0; n < 21; n++) audit.note('sign_in', userId, source);
    await audit.settled(userId);
    await audit.close();
    const { events, unlisted } = await list(userId);
    assert.deepEqual([events.length, unlisted.map(({ count }) => count)], [20, [1]]);
    assert.deepEqual(lines, []);
  });

  it('bounds what clients without an account can leave', async () => {
    const { audit } = open();
    for (let n = 0; n < 300; n++) audit.note('client_registered', null, source, { name: `app ${n}` });
    await audit.close();
    const { events, unlisted } = await context.storage.auditEvents.list({
      event: 'client_registered',
      limit: 1_000,
    });
    assert.deepEqual([events.length, unlisted.map(({ count }) => count)], [200, [100]]);
  });

  it('forgets by age, and with its user', async () => {
    const { audit, clock } = open();
    const [old, kept, gone] = [freshUser(), freshUser(), freshUser()];
    const { auditEvents } = context.storage;
    audit.note('sign_in', old, source);
    clock.now += 10 * hourMs;
    for (let n = 0; n < 21; n++) for (const userId of [kept, gone]) audit.note('sign_in', userId, source);
    await audit.close();
    await context.storage.owned.removeAll(gone);
    await auditEvents.dropOlder(new Date(noon + 5 * hourMs));
    for (const name of ['audit_events', 'audit_counts'])
      assert.deepEqual(
        await context.db.collection(name).distinct('userId', { userId: { $in: [old, kept, gone] } }),
        [kept],
      );
  });
});

describe('the name of a client', () => {
  it('is its User-Agent without what hides or reorders text, and short', () => {
    assert.equal(clientName(undefined), '');
    assert.equal(clientName(' Mozilla/5.0\r\n\u202eevil\u0000 \u200b x\u2028y '), 'Mozilla/5.0 evil x y');
    assert.equal(clientName('é'.repeat(500)), 'é'.repeat(200));
    assert.equal(clientName('😀'.repeat(300)), '😀'.repeat(200));
  });
});
