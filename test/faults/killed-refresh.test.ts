import assert from 'node:assert/strict';
import { successorOf } from '../../storage/oauth/grant-secret.js';
import { openMongo } from '../../storage/servers/mongo.js';
import { openTestService, type TestService } from '../support/gateway/gateway.js';
import { unlimited } from '../support/gateway/unlimited.js';
import { OauthClientRig, postForm } from '../support/oauth/oauth-client.js';
import { RoleChild } from '../support/process/role-child.js';
import { until } from '../support/process/until.js';
import { MongoProxy } from '../support/servers/mongo-proxy.js';

const [grants, claims] = ['oauth_grants', 'oauth_refresh_claims'];

describe('a gateway that is killed while it renews tokens', () => {
  let service: TestService;
  let rig: OauthClientRig;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    rig = new OauthClientRig(service);
  });
  after(() => service.close());

  /**
   * Connects an app, and kills a gateway that renews its tokens after these writes: the next one never arrives. Answers the refresh
   * token that was sent, and the pair that the gateway has decided on.
   */
  async function killedAfter(written: readonly string[]) {
    const { refresh, userId } = await rig.connect();
    const seen: string[] = [];
    let isHeld = false;
    const proxy = await MongoProxy.open(service.mongodbUrl, (collection) => {
      if (collection !== grants && collection !== claims) return 'pass';
      isHeld = seen.length === written.length;
      if (isHeld) return new Promise(() => undefined);
      seen.push(collection);
      return 'pass';
    });
    const gateway = await RoleChild.start('gateway', {
      ...unlimited,
      REDIS_URL: service.redisUrl,
      MONGODB_URL: proxy.url,
    });
    const fields = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'client_test' };
    const cutOff = assert.rejects(postForm(`${gateway.facts.url}/token`, fields), /fetch failed/);
    await until('the write is held back', () => isHeld);
    assert.deepEqual(seen, written);
    await gateway.kill();
    await cutOff;
    await proxy.close();

    const { db, close } = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
    const [grant] = await db.collection(grants).find({ userId }).toArray();
    const [{ nonce }] = await db.collection(claims).find({ grantId: grant._id }).toArray();
    await close();
    const [access, next] = (['access', 'refresh'] as const).map((kind) =>
      successorOf(kind, refresh, String(nonce)),
    );
    return { refresh, userId, access, next };
  }

  it('leaves a token that gets the same pair at another gateway, again and again', async () => {
    const killed = await Promise.all([
      // Between its claim on the token and the new pair.
      killedAfter([claims, claims]),
      // Between the new pair and the answer.
      killedAfter([claims, claims, grants]),
    ]);
    for (const { refresh, userId, access, next } of killed) {
      for (let n = 0; n < 3; n++) {
        const { status, body } = await rig.refresh(refresh);
        assert.deepEqual([status, body.access_token, body.refresh_token], [200, access, next]);
      }
      assert.deepEqual(await rig.call(access), [200, null]);
      assert.equal((await rig.refresh(next)).status, 200);
      assert.equal((await service.storage.grants.ofUser(userId)).length, 1);
    }
  });
});
