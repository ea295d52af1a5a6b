import assert from 'node:assert/strict';
import { createGateway } from '../../../../gateway/app.js';
import { openDeps } from '../../../../gateway/open-deps.js';
import { openMongo, type Mongo } from '../../../../storage/servers/mongo.js';
import { hashPassword } from '../../../../storage/users/password.js';
import { hiddenFields, PageClient } from '../../../support/browser/page-client.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { authorizationPath } from '../../../support/oauth/authorization-request.js';
import { OauthClientRig, postForm, postJson } from '../../../support/oauth/oauth-client.js';
import { until } from '../../../support/process/until.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';
import { MongoProxy } from '../../../support/servers/mongo-proxy.js';

const account = { email: 'ada@example.com', password: 'a long password' };

describe('a gateway that loses MongoDB while it gives access (o50)', function () {
  this.timeout(60_000);
  let service: TestService;
  let rig: OauthClientRig;
  let mongo: Mongo;
  let proxy: MongoProxy;
  let url: string;
  let close: () => Promise<void>;
  let userId: string;
  /** The collection whose next write never arrives. */
  let cutAt: string | null = null;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    rig = new OauthClientRig(service);
    mongo = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
    const passwordHash = await hashPassword(account.password);
    ({ id: userId } = await service.storage.users.add({ email: account.email, plan: 'free', passwordHash }));
    proxy = await MongoProxy.open(service.mongodbUrl, (collection) =>
      collection === cutAt ? 'cut' : 'pass',
    );
    const { settings, redisUrl, deps } = service;
    const second = await openDeps({ settings, redisUrl, mongodbUrl: proxy.url, log: deps.log });
    const server = createGateway(second.deps);
    url = await listenLocally(server);
    close = async () => {
      server.closeAllConnections();
      server.close();
      await second.close();
    };
  });
  after(async () => {
    await close();
    await proxy.close();
    await mongo.close();
    await service.close();
  });
  /** It answers again before the next case. */
  afterEach(async () => {
    cutAt = null;
    proxy.mend();
    const isBack = async () =>
      (await postForm(`${url}/revoke`, { token: `ort_${'a'.repeat(43)}`, client_id: 'client_test' }))
        .status === 200;
    await until('the gateway has MongoDB again', isBack);
  });

  const grantsOf = (of: string) => mongo.db.collection('oauth_grants').find({ userId: of }).toArray();
  const unavailable = ({ status, body }: { status: number; body: { error?: string } }) =>
    assert.deepEqual([status, body.error], [503, 'temporarily_unavailable']);

  it('gives no tokens for a code, which stays good', async () => {
    const { exchange, userId: of } = await rig.consent();
    cutAt = 'oauth_grants';
    unavailable(await postForm(`${url}/token`, exchange));
    const [grant] = await grantsOf(of);
    assert.deepEqual([grant.access, grant.refresh], [[], null]);
    assert.equal((await rig.token(exchange)).status, 200);
  });

  for (const collection of ['oauth_refresh_claims', 'oauth_grants'])
    it(`gives no tokens for a refresh token, which stays good, when ${collection} is not written`, async () => {
      const { refresh, userId: of } = await rig.connect();
      const before = await grantsOf(of);
      cutAt = collection;
      const fields = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'client_test' };
      unavailable(await postForm(`${url}/token`, fields));
      assert.deepEqual(await grantsOf(of), before);
      assert.equal((await rig.refresh(refresh)).status, 200);
    });

  it('registers nothing', async () => {
    const clients = mongo.db.collection('oauth_clients');
    cutAt = 'oauth_clients';
    unavailable(await postJson(`${url}/register`, { redirect_uris: ['https://app.example/callback'] }));
    assert.equal(await clients.countDocuments(), 0);
  });

  for (const collection of ['oauth_transactions', 'oauth_grants'])
    it(`sends no browser back with a code when ${collection} is not written`, async () => {
      const client = new PageClient(url);
      const { text } = await client.get(authorizationPath());
      const hidden = hiddenFields(text.split('action="/authorize/login"')[1]);
      cutAt = collection;
      const { status, location } = await client.post('/authorize/login', {
        ...hidden,
        ...account,
        decision: 'allow',
      });
      assert.deepEqual([status, location], [503, null]);
      assert.deepEqual(await grantsOf(userId), []);
    });
});
