import assert from 'node:assert/strict';
import { SessionDirectory } from '../../storage/session-directory.js';
import type { Session } from '../../storage/sessions.js';

const start = Date.UTC(2026, 0, 1);

/** A source with one session that counts how often it is asked. */
function sourceOf(session: Session | null) {
  const source = { asked: 0, session, find: async () => (source.asked++, source.session) };
  return source;
}

const sessionUntil = (expiresMs: number): Session => ({
  userId: 'ada',
  client: 'web',
  createdAt: new Date(start),
  expiresAt: new Date(expiresMs),
});

describe('SessionDirectory', () => {
  it('asks once for many requests of two seconds', async () => {
    const source = sourceOf(sessionUntil(start + 60_000));
    const directory = new SessionDirectory(source);
    for (let ms = 0; ms < 2_000; ms += 100) {
      assert.equal(await directory.find('token', start + ms), source.session);
    }
    assert.equal(source.asked, 1);
  });

  it('forgets a session that was ended, two seconds later', async () => {
    const source = sourceOf(sessionUntil(start + 60_000));
    const directory = new SessionDirectory(source);
    await directory.find('token', start);
    source.session = null;
    assert.equal(await directory.find('token', start + 2_000), null);
  });

  it('never keeps a session beyond its end', async () => {
    const source = sourceOf(sessionUntil(start + 500));
    const directory = new SessionDirectory(source);
    await directory.find('token', start);
    source.session = null;
    assert.equal(await directory.find('token', start + 500), null);
  });

  it('asks again for a token that had no session', async () => {
    const source = sourceOf(null);
    const directory = new SessionDirectory(source);
    assert.equal(await directory.find('token', start), null);
    source.session = sessionUntil(start + 60_000);
    assert.equal(await directory.find('token', start), source.session);
  });
});
