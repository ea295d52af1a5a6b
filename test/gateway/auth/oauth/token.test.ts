import assert from 'node:assert/strict';
import { openMongo, type Mongo } from '../../../../storage/servers/mongo.js';
import { removeUser } from '../../../../storage/users/remove-user.js';
import { replacePassword } from '../../../../storage/users/take-account.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { challenge, verifier } from '../../../support/oauth/new-grant.js';
import { OauthClientRig, postForm, postJson, type OauthAnswer } from '../../../support/oauth/oauth-client.js';

const allScopes = 'read:portfolio read:analysis ask:assistant write:strategies';

describe('POST /token', function () {
  this.timeout(60_000);
  let service: TestService;
  let rig: OauthClientRig;
  /** Behind the repositories, to let time pass. */
  let mongo: Mongo;

  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { MARKET: 'demo' } });
    rig = new OauthClientRig(service);
    mongo = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
  });
  after(async () => {
    await mongo.close();
    await service.close();
  });

  const refused = ({ status, body, headers }: OauthAnswer, code: string, expected = 400) => {
    assert.deepEqual([status, body.error], [expected, code], JSON.stringify(body));
    assert.deepEqual(Object.keys(body as object), ['error', 'error_description']);
    assert.match(String(body.error_description), /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    assert.equal(headers.get('cache-control'), 'no-store');
  };

  describe('with a code', () => {
    it('answers tokens that call the tools of their user, to forms and to JSON', async () => {
      for (const send of [postForm, postJson]) {
        const { exchange } = await rig.consent();
        const { status, headers, body } = await send(`${service.url}/token`, exchange);
        const { access_token, refresh_token, expires_in, ...rest } = body;
        assert.deepEqual([status, rest], [200, { token_type: 'Bearer', scope: allScopes }]);
        assert.match(String(access_token), /^oat_[A-Za-z0-9_-]{43}$/);
        assert.match(String(refresh_token), /^ort_[A-Za-z0-9_-]{43}$/);
        assert.ok(expires_in > 3_590 && expires_in <= 3_600);
        assert.deepEqual([headers.get('cache-control'), headers.get('pragma')], ['no-store', 'no-cache']);
        assert.deepEqual(await rig.call(String(access_token)), [200, null]);
      }
    });

    it('needs no redirect_uri, and takes the method plain', async () => {
      const { exchange } = await rig.consent({ challenge: verifier, challengeMethod: 'plain' });
      assert.equal((await rig.token({ ...exchange, redirect_uri: '' })).status, 200);
    });

    it('is refused the second time, and then ends what the first was given', async () => {
      const { exchange, access, refresh } = await rig.connect();
      assert.deepEqual(await rig.call(access), [200, null]);
      refused(await rig.token(exchange), 'invalid_grant');
      assert.deepEqual(await rig.call(access), [401, 'invalid_token']);
      refused(await rig.refresh(refresh), 'invalid_grant');
    });

    it('gives tokens to one of 50 requests at the same time', async () => {
      const { exchange } = await rig.consent();
      // On a busy machine MongoDB may take too long for so many at once: an app then asks again.
      const ask = async () => {
        const answer = await rig.token(exchange);
        return answer.status === 503 ? rig.token(exchange) : answer;
      };
      const answers = await Promise.all(Array.from({ length: 50 }, ask));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, 'invalid_grant');
    });

    it('is taken for 5 minutes', async () => {
      const young = await rig.consent({}, Date.now() - 290_000);
      assert.equal((await rig.token(young.exchange)).status, 200);
      const old = await rig.consent({}, Date.now() - 301_000);
      refused(await rig.token(old.exchange), 'invalid_grant');
    });

    for (const [what, wrong] of [
      ['without code_verifier', { code_verifier: '' }],
      ['with another code_verifier', { code_verifier: 'x'.repeat(43) }],
      ['with the challenge as code_verifier', { code_verifier: challenge }],
      ['with a code_verifier of 42 characters', { code_verifier: verifier.slice(1) }],
      ['with a code_verifier of 129 characters', { code_verifier: 'x'.repeat(129) }],
      ['with a code_verifier of other characters', { code_verifier: `${verifier.slice(1)}+` }],
      ['by another client', { client_id: 'client_other' }],
      ['with another redirect_uri', { redirect_uri: 'http://127.0.0.1:7778/callback' }],
    ] as const)
      it(`is refused ${what}, and is of no use after that`, async () => {
        const { exchange } = await rig.consent();
        refused(await rig.token({ ...exchange, ...wrong }), 'invalid_grant');
        refused(await rig.token(exchange), 'invalid_grant');
      });

    it('is refused if it has no challenge, whatever is sent', async () => {
      const { exchange } = await rig.consent({ challenge: '', challengeMethod: 'plain' });
      refused(await rig.token(exchange), 'invalid_grant');
    });

    it('is refused for another service, which does not use it up', async () => {
      const { exchange } = await rig.consent();
      for (const resource of ['https://other.example/mcp', `${service.url}/mcp#x`, '/mcp', service.url])
        refused(await rig.token({ ...exchange, resource }), 'invalid_target');
      assert.equal((await rig.token({ ...exchange, resource: `${service.url}/mcp` })).status, 200);
    });

    it('is refused when its user was removed', async () => {
      const { exchange, userId } = await rig.consent();
      await service.storage.users.beginRemoval(userId);
      refused(await rig.token(exchange), 'invalid_grant');
    });
  });

  describe('with a refresh token', () => {
    it('answers a new pair; the replaced token gets the same for 30 s', async () => {
      const { access, refresh } = await rig.connect();
      const first = await rig.refresh(refresh);
      assert.deepEqual([first.status, first.body.scope], [200, allScopes]);
      const again = await rig.refresh(refresh);
      assert.deepEqual(again.body, { ...first.body, expires_in: again.body.expires_in as number });
      for (const token of [access, String(first.body.access_token)])
        assert.deepEqual(await rig.call(token), [200, null]);
      assert.equal((await rig.refresh(String(first.body.refresh_token))).status, 200);
    });

    it('answers the same at a gateway whose clock is a minute ahead or behind', async () => {
      const { now } = Date;
      for (const aheadMs of [60_000, -60_000]) {
        const { refresh } = await rig.connect();
        const first = await rig.refresh(refresh);
        Date.now = () => now() + aheadMs;
        try {
          const { status, body } = await rig.refresh(refresh);
          assert.deepEqual([status, body.refresh_token], [200, first.body.refresh_token]);
          assert.ok(body.expires_in > 3_590 && body.expires_in <= 3_600, String(body.expires_in));
        } finally {
          Date.now = now;
        }
        assert.equal((await rig.refresh(String(first.body.refresh_token))).status, 200);
      }
    });

    it('gives nothing that outlives its user, who is removed meanwhile', async () => {
      const { storage } = service.deps;
      for (let n = 0; n < 5; n++) {
        const { refresh, access, userId } = await rig.connect();
        const asked = Array.from({ length: 4 }, () => rig.refresh(refresh));
        await removeUser(storage, userId);
        const given = (await Promise.all(asked)).flatMap(({ status, body }) =>
          status === 200 ? [String(body.access_token), String(body.refresh_token)] : [],
        );
        for (const token of [access, ...given.filter((each) => each.startsWith('oat_'))])
          assert.deepEqual(await rig.call(token), [401, 'invalid_token']);
        for (const token of [refresh, ...given.filter((each) => each.startsWith('ort_'))])
          refused(await rig.refresh(token), 'invalid_grant');
        assert.equal(await mongo.db.collection('oauth_grants').countDocuments({ userId }), 0);
      }
    });

    it('answers 20 requests at the same time with one pair, which stays valid', async () => {
      const { refresh } = await rig.connect();
      const answers = await Promise.all(Array.from({ length: 20 }, () => rig.refresh(refresh)));
      const pairs = answers.map(({ status, body }) => [
        status,
        String(body.access_token),
        String(body.refresh_token),
      ]);
      for (const pair of pairs) assert.deepEqual(pair, pairs[0]);
      assert.equal(pairs[0][0], 200);
      assert.equal((await rig.refresh(pairs[0][2] as string)).status, 200);
    });

    it('ends the grant when a replaced token comes later than that', async () => {
      const { refresh, clientId } = await rig.connect();
      const { access_token, refresh_token } = (await rig.refresh(refresh)).body;
      await mongo.db.collection('oauth_refresh_claims').updateMany({}, { $set: { until: new Date() } });
      refused(await rig.refresh(refresh, { client_id: 'client_other' }), 'invalid_grant');
      assert.deepEqual(await rig.call(String(access_token)), [200, null]);
      refused(await rig.refresh(refresh, { client_id: clientId }), 'invalid_grant');
      assert.deepEqual(await rig.call(String(access_token)), [401, 'invalid_token']);
      refused(await rig.refresh(String(refresh_token)), 'invalid_grant');
    });

    it('narrows the scopes of the access token, and never widens them', async () => {
      const { refresh } = await rig.connect({ scopes: ['read:analysis', 'ask:assistant'] });
      const narrow = await rig.refresh(refresh, { scope: 'ask:assistant' });
      assert.deepEqual([narrow.status, narrow.body.scope], [200, 'ask:assistant']);
      assert.deepEqual(await rig.call(String(narrow.body.access_token)), [403, 'insufficient_scope']);
      const next = String(narrow.body.refresh_token);
      for (const scope of [
        'admin',
        allScopes,
        'ask:assistant admin',
        'ask:assistant\r\nX:1',
        'ask:assistant  ',
      ])
        refused(await rig.refresh(next, { scope }), 'invalid_scope');
      assert.equal((await rig.refresh(next)).body.scope, 'read:analysis ask:assistant');
    });

    it('is refused to another client, which does not use it up', async () => {
      const { refresh } = await rig.connect();
      refused(await rig.refresh(refresh, { client_id: 'client_other' }), 'invalid_grant');
      assert.equal((await rig.refresh(refresh)).status, 200);
    });

    it('is refused after 30 days, a new password, and the removal of its user', async () => {
      const { storage } = service;
      const late = await rig.connect();
      await mongo.db
        .collection('oauth_grants')
        .updateMany({ userId: late.userId }, { $set: { expiresAt: new Date() } });
      refused(await rig.refresh(late.refresh), 'invalid_grant');

      const changed = await rig.connect();
      assert.deepEqual(await rig.call(changed.access), [200, null]);
      await replacePassword(service.deps.storage, changed.userId, 'another hash');
      refused(await rig.refresh(changed.refresh), 'invalid_grant');
      assert.deepEqual(await rig.call(changed.access), [401, 'invalid_token']);

      const gone = await rig.connect();
      assert.deepEqual(await rig.call(gone.access), [200, null]);
      await service.deps.storage.users.beginRemoval(gone.userId);
      refused(await rig.refresh(gone.refresh), 'invalid_grant');
      assert.deepEqual(await rig.call(gone.access), [401, 'invalid_token']);
      await removeUser(storage, gone.userId);
    });
  });

  describe('with anything else', () => {
    for (const [what, fields, code] of [
      ['no grant_type', {}, 'invalid_request'],
      ['the grant_type password', { grant_type: 'password' }, 'unsupported_grant_type'],
      ['client_credentials', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      ['the grant_type implicit', { grant_type: 'implicit' }, 'unsupported_grant_type'],
      ['a grant_type that objects have', { grant_type: 'constructor' }, 'unsupported_grant_type'],
      ['no code', { grant_type: 'authorization_code', client_id: 'x' }, 'invalid_request'],
      ['an unknown code', { grant_type: 'authorization_code', client_id: 'x', code: 'x' }, 'invalid_grant'],
      ['no refresh token', { grant_type: 'refresh_token', client_id: 'x' }, 'invalid_request'],
    ] as const)
      it(`refuses ${what}`, async () => refused(await rig.token(fields), code));

    it('refuses a request without client_id, which does not use up the code', async () => {
      const { exchange } = await rig.consent();
      refused(await rig.token({ ...exchange, client_id: '' }), 'invalid_request');
      assert.equal((await rig.token(exchange)).status, 200);
    });

    it('refuses a parameter that is sent twice or is no text', async () => {
      const { exchange } = await rig.consent();
      const form = new URLSearchParams(exchange).toString();
      for (const name of Object.keys(exchange))
        refused(await rig.token(`${form}&${name}=x`), 'invalid_request');
      const url = `${service.url}/token`;
      refused(await postJson(url, { ...exchange, code: [exchange.code] }), 'invalid_request');
      refused(await postJson(url, '{"code":"a","code":"b"}'), 'invalid_request');
      refused(await postJson(url, '["code"]'), 'invalid_request');
      refused(await postJson(url, '{"code"'), 'invalid_request');
      assert.equal((await rig.token(exchange)).status, 200);
    });

    it('does not read the query', async () => {
      const { exchange } = await rig.consent();
      const url = `${service.url}/token?client_id=evil&code=evil&grant_type=password`;
      assert.equal((await postForm(url, exchange)).status, 200);
      const query = new URLSearchParams((await rig.consent()).exchange).toString();
      refused(await postForm(`${service.url}/token?${query}`, {}), 'invalid_request');
    });

    it('refuses other content types, methods and Hosts', async () => {
      const url = `${service.url}/token`;
      for (const type of ['text/plain', 'multipart/form-data; boundary=x'])
        refused(
          await postForm(url, 'grant_type=refresh_token', { 'Content-Type': type }),
          'invalid_request',
          415,
        );
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await fetch(url, { method });
        assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
        assert.equal(((await answer.json()) as { error: string }).error, 'invalid_request');
        assert.equal(answer.headers.get('cache-control'), 'no-store');
      }
    });
  });
});
