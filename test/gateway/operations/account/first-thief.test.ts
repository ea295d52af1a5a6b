import assert from 'node:assert/strict';
import { hashPassword } from '../../../../storage/users/password.js';
import { endAccess } from '../../../../storage/users/take-account.js';
import { userOfIdentity } from '../../../../gateway/auth/user-of-identity.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { openMailbox, type Mailbox } from '../../../support/gateway/mailbox.js';
import { newGrant } from '../../../support/oauth/new-grant.js';
import { newSubscription } from '../../../support/signals/new-subscription.js';

const theirs = 'the thief knows';
const refused = { status: 403, type: 'UNAUTHORIZED' };
const issuer = 'https://id.example';

/** How the owner of the e-mail gets the account back. */
type TakeBack = (email: string) => Promise<unknown>;

describe('a thief who has signed up first with the e-mail of another', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let channel: string;
  let passwordHash: string;
  let people = 0;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    mailbox = openMailbox(service);
    passwordHash = await hashPassword(theirs);
    channel = (await service.storage.channels.add({ partnerId: 'thief', name: 'Theirs' })).id;
  });
  after(async () => {
    await mailbox.close();
    await service.close();
  });
  afterEach(() => service.deps.redis.flushdb());

  const newEmail = () => `owner-${++people}@example.com`;
  const signIn = async (email: string) =>
    (await service.post('/backend/login', { email, password: theirs })).payload.token as string;
  const as = (token: string) => ({ 'session-token': token });

  it('can prepare nothing: no exchange, subscription, token or app', async () => {
    const email = newEmail();
    await service.post('/backend/signup', { email, password: theirs });
    const token = await signIn(email);
    const key = { exchange: 'BINANCE', apiKey: 'k'.repeat(64), apiSecret: 's'.repeat(64) };
    for (const [path, body] of [
      ['/backend/exchanges', key],
      ['/backend/subscriptions', { channel }],
      ['/backend/tokens', { name: 'theirs' }],
    ] as const) {
      const answer = await service.post(path, body, as(token));
      assertRefused(answer, refused, path);
      assert.match(answer.payload.message, /^confirm your e-mail first/);
    }
  });

  it('keeps nothing of a request that was under way with a stolen session when the owner ended all access', async () => {
    const { storage, deps } = service;
    const email = newEmail();
    const { id: userId } = await storage.users.add({ email, plan: 'free', passwordHash });
    /** Lets the access end between the check of the session and the write of a method. */
    const cutInto = <Of, Name extends keyof Of>(of: Of, name: Name, write = of[name]) => {
      const before = of[name];
      of[name] = (async (...given: unknown[]) => {
        of[name] = before;
        await endAccess(storage, userId);
        return (write as (...all: unknown[]) => Promise<unknown>).apply(of, given);
      }) as Of[Name];
    };
    const connect = deps.exchanges.connect.bind(deps.exchanges);
    const tried = async () => ({ mayTrade: true }) as never;
    const key = { exchange: 'BINANCE', apiKey: 'k'.repeat(64), apiSecret: 's'.repeat(64) };
    const requests: [path: string, body: object, cut: () => void][] = [
      ['/backend/tokens', { name: 'theirs' }, () => cutInto(deps.storage.personalTokens, 'add')],
      ['/backend/subscriptions', { channel }, () => cutInto(deps.storage.subscriptions, 'add')],
      [
        '/backend/exchanges',
        key,
        () => cutInto(deps.exchanges, 'connect', (user, name, given) => connect(user, name, given, tried)),
      ],
    ];
    for (const [path, body, cut] of requests) {
      const token = await signIn(email);
      cut();
      assertRefused(await service.post(path, body, as(token)), { status: 401, type: 'UNAUTHORIZED' }, path);
    }
    const left = [
      ...(await storage.personalTokens.ofUser(userId)),
      ...(await storage.subscriptions.ofUser(userId)),
      ...(await storage.connections.ofUser(userId)),
    ];
    assert.deepEqual(left, []);
  });

  const ways: Record<string, TakeBack> = {
    'a new password by mail': async (email) => {
      await service.post('/backend/password/forgot', { email });
      const link = { token: await mailbox.tokenTo(email), newPassword: 'battery staple' };
      assert.equal((await service.post('/backend/password/reset', link)).status, 200);
    },
    'the link of the mail that confirms': async (email) => {
      await service.storage.mails.ask('verify', email);
      const link = { token: await mailbox.tokenTo(email) };
      assert.equal((await service.post('/backend/verify-email', link)).status, 200);
    },
    'an identity provider': (email) => {
      const identity = { issuer, subject: email, email, emailVerified: true };
      return userOfIdentity(identity, service.storage);
    },
  };
  for (const [how, takeBack] of Object.entries(ways))
    it(`keeps nothing when the owner comes by ${how}, whatever was there`, async () => {
      const email = newEmail();
      const { storage, deps } = service;
      // All that an account could have before its e-mail was asked about.
      const stranger = { email, plan: 'free', passwordHash, emailVerified: false } as const;
      const { id: userId } = await storage.users.add(stranger);
      const token = await signIn(email);
      const expiresAt = new Date(Date.now() + 86_400_000);
      await storage.personalTokens.add({ userId, name: 'theirs', scopes: ['read:portfolio'], expiresAt });
      await storage.grantTokens.exchange(await storage.grants.consent(newGrant({ userId })));
      const followed = newSubscription(userId, channel, { exchange: 'BINANCE' });
      await storage.subscriptions.add(followed);
      const key = { apiKey: 'k'.repeat(64), secret: 's'.repeat(64), passphrase: null };
      await deps.exchanges.connect(userId, 'BINANCE', key, async () => ({ mayTrade: true }) as never);
      await storage.subscriptions.setPaused(userId, false);

      await takeBack(email);
      assert.notEqual((await storage.users.byId(userId))!.emailVerifiedAt, null);
      const left = [
        ...(await storage.personalTokens.ofUser(userId)),
        ...(await storage.grants.ofUser(userId)),
        ...(await storage.subscriptions.ofUser(userId)),
        ...(await storage.connections.ofUser(userId)),
        ...(await storage.sessions.ofUser(userId)),
      ];
      assert.deepEqual(left, []);
      assertRefused(await service.post('/backend/logout', {}, as(token)), {
        status: 401,
        type: 'UNAUTHORIZED',
      });
      const again = await service.post('/backend/login', { email, password: theirs });
      assert.equal(again.status, 401);
    });
});
