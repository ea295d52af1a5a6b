import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { Prices } from '../../../storage/candles/prices.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { openTestMarket } from '../../support/candles/market.js';
import { rawExchange, type RawAnswer } from '../../support/gateway/raw-http.js';
import { Scrape } from '../../support/servers/scrape.js';
import {
  assertBareRefusal,
  sendBare,
  sendSigned,
  signatureOf,
  testSecret,
  type BareAnswer,
} from '../../support/gateway/signed.js';

const risk = '/v3/ai/assess_risk';
const price = '/v3/ai/get_price';
const agent = { 'User-Agent': 'ChatGPT-User/1.0' };
const refused = { status: 401, code: 'unauthorized' };
const invalid = (field?: string) => ({ status: 400, code: 'invalid_input', field });

/** What has to be the same in every refusal: all but the id of the request. */
const wordsOf = ({ status, json }: BareAnswer) => ({
  status,
  ...(json.error as Record<string, unknown>),
  requestId: '',
});

describe('surface D', () => {
  let service: TestService;

  before(async () => {
    const env = { AI_API_SECRETS: `${testSecret},ada:another secret` };
    ({ service } = await openTestMarket({ env, measured: true }));
  });
  after(() => service.close());

  describe('who is let in', () => {
    it('is who signs, at both endpoints, with GET, HEAD and POST', async () => {
      for (const target of [`${risk}?coin=BTC`, `${price}?base_asset=BTC`])
        for (const method of ['GET', 'HEAD', 'POST']) {
          const { status, text } = await sendSigned(service, target, { method });
          assert.equal(status, 200, `${method} ${target}`);
          assert.equal(text === '', method === 'HEAD');
        }
    });

    it('is who signs within 299 s, and not at 301 s', async () => {
      const at = (seconds: number) => {
        const timestamp = String(Math.floor(Date.now() / 1_000) + seconds);
        return sendSigned(service, `${price}?base_asset=BTC`, { sign: { timestamp } });
      };
      // A second may pass between signing and checking.
      for (const seconds of [-299, 299]) assert.equal((await at(seconds)).status, 200, `${seconds} s`);
      for (const seconds of [-301, 302]) assertBareRefusal(await at(seconds), refused, `${seconds} s`);
      const timestamp = String(Date.now());
      const inMs = await sendSigned(service, `${price}?base_asset=BTC`, { sign: { timestamp } });
      assert.equal(inMs.status, 200);
    });

    it('hears how far its clock is off, whether or not its signature is right', async () => {
      const target = `${price}?base_asset=BTC`;
      const tell = async (seconds: number, sign: object = {}) => {
        const timestamp = String(Math.floor(Date.now() / 1_000) + seconds);
        const answer = await sendSigned(service, target, { sign: { timestamp, ...sign } });
        assertBareRefusal(answer, refused, `${seconds} s`);
        return String(answer.json.error.message);
      };
      // A second or two may pass between signing and checking.
      const behind = /^x-timestamp is 1,76[345] s behind the server; at most 300 s are accepted$/;
      assert.match(await tell(-1_763), behind);
      assert.match(await tell(1_765), /^x-timestamp is 1,76[345] s ahead of the server; /);
      // The same words for a wrong signature: they tell nothing of the secret.
      assert.match(await tell(-1_763, { secret: 'wrong' }), behind);
      const inMs = String(Date.now() - 1_763_400);
      const answer = await sendSigned(service, target, { sign: { timestamp: inMs } });
      assert.match(String(answer.json.error.message), behind);
      assert.match(await tell(-10, { secret: 'wrong' }), /^a valid signature is needed/);
    });

    it('is who signs with a secret of the key named', async () => {
      const target = `${price}?base_asset=BTC`;
      const by = (secret: string, key: string) =>
        sendSigned(service, target, { sign: { secret }, headers: { 'svc-api-key': key } });
      assert.equal((await by('another secret', 'ada')).status, 200);
      assertBareRefusal(await by(testSecret, 'ada'), refused);
      assertBareRefusal(await by('another secret', 'bob'), refused);
    });

    it('is nobody else, always in the same words', async () => {
      const target = `${price}?base_asset=BTC`;
      const signed = signatureOf({ target });
      const bad: Record<string, string>[] = [
        {},
        { 'x-timestamp': signed['x-timestamp'] },
        { 'x-signature': signed['x-signature'] },
        { ...signed, 'x-signature': signed['x-signature'].toUpperCase() },
        { ...signed, 'x-signature': `${signed['x-signature']}, ${signed['x-signature']}` },
        { ...signed, 'x-timestamp': `${signed['x-timestamp']}0` },
        { ...signed, 'svc-api-key': 'nobody' },
        signatureOf({ target, secret: 'wrong' }),
        signatureOf({ target, method: 'POST' }),
        signatureOf({ target: `${target}&quote_asset=USDT` }),
        signatureOf({ target, body: ' ' }),
        { 'session-token': 'x'.repeat(43) },
        { Authorization: 'Bearer x' },
      ];
      const answers = await Promise.all(bad.map((headers) => sendBare(service.url, target, { headers })));
      for (const [n, answer] of answers.entries()) {
        assertBareRefusal(answer, refused, JSON.stringify(bad[n]));
        assert.deepEqual(wordsOf(answer), wordsOf(answers[0]));
      }
    });

    it('is refused before a parameter is looked at', async () => {
      assertBareRefusal(await sendBare(service.url, `${risk}?nonsense=%zz`), refused);
      const broken = { method: 'POST', body: '{', headers: { 'Content-Type': 'text/plain' } };
      assertBareRefusal(await sendBare(service.url, risk, broken), refused);
    });

    it('may send the same request again while its timestamp holds', async () => {
      const target = `${price}?base_asset=BTC`;
      const headers = signatureOf({ target });
      for (let n = 0; n < 3; n++)
        assert.equal((await sendBare(service.url, target, { headers })).status, 200);
    });
  });

  describe('parameters', () => {
    const post = (target: string, body?: string) =>
      sendSigned(service, target, { method: 'POST', ...(body === undefined ? {} : { body }) });

    it('stand in the query or in the body of a POST, or in both alike', async () => {
      const { json } = await sendSigned(service, `${risk}?coin=ETH&trade_side=short`);
      for (const [query, body] of [
        ['?coin=ETH&trade_side=short', undefined],
        ['', '{"coin":"ETH","trade_side":"short"}'],
        ['?coin=ETH', '{"trade_side":"short"}'],
        ['?coin=ETH&trade_side=short', '{"coin":"ETH"}'],
        ['?coin=ETH&trade_side=short', '{}'],
      ] as const) {
        const answer = await post(`${risk}${query}`, body);
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(answer.json, json);
      }
    });

    it('that differ between query and body are refused', async () => {
      const field = invalid('coin');
      assertBareRefusal(await post(`${risk}?coin=ETH`, '{"coin":"BTC"}'), field);
      assertBareRefusal(await post(`${risk}?coin=ETH`, '{"coin":["ETH"]}'), field);
      assertBareRefusal(await post(`${risk}?coin=ETH`, '{"coin":null}'), field);
      assertBareRefusal(await post(`${risk}?constructor=1`, '{"coin":"ETH"}'), invalid('constructor'));
    });

    it('of a body are text', async () => {
      for (const value of ['1', 'true', '{}', '["BTC"]', '{"$ne":null}', 'null', '1e400', '"\\ud800"'])
        assertBareRefusal(await post(risk, `{"coin":${value}}`), invalid('coin'), value);
      assertBareRefusal(await post(risk, '{"coin":"ETH","__proto__":{"x":1}}'), {
        status: 400,
        code: 'invalid_body',
      });
      assertBareRefusal(await post(risk, '{"coin":"ETH","more":1}'), invalid('more'));
      assertBareRefusal(await post(risk), invalid('coin'));
    });

    it('come in a body as on surface B, or not at all', async () => {
      const body = '{"coin":"BTC"}';
      const send = (given: string | Buffer<ArrayBuffer>, headers: Record<string, string>) =>
        sendSigned(service, risk, { method: 'POST', body: given, headers });
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
      ])
        assertBareRefusal(await send(body, { 'Content-Type': type }), {
          status: 415,
          code: 'unsupported_media_type',
        });
      const json = { 'Content-Type': 'application/json' };
      for (const text of ['{', 'coin=BTC', '\ufeff{}', `${body}${body}`])
        assertBareRefusal(await send(text, json), { status: 400, code: 'invalid_body' }, text);
      for (const text of ['null', '[]', '"x"', ' ', '1'])
        assertBareRefusal(await send(text, json), invalid(), text);
      assert.equal((await send(body.padEnd(65_536), json)).status, 200);
      const tooLarge = { status: 413, code: 'body_too_large' };
      assertBareRefusal(await send(body.padEnd(65_537), json), tooLarge);
      const bomb = gzipSync(Buffer.alloc(10_000_000, 32));
      assertBareRefusal(await send(bomb, { ...json, 'Content-Encoding': 'gzip' }), tooLarge);
      assertBareRefusal(await send(body, { ...json, 'Content-Encoding': 'zstd' }), {
        status: 415,
        code: 'unsupported_media_type',
      });
    });

    it('of a compressed body are signed as the bytes that are sent', async () => {
      const packed = gzipSync('{"coin":"BTC"}');
      const headers = { 'Content-Encoding': 'gzip' };
      const send = (sign: object) =>
        sendSigned(service, risk, { method: 'POST', body: packed, headers, sign });
      assert.equal((await send({})).status, 200);
      assertBareRefusal(await send({ body: '{"coin":"BTC"}' }), refused);
    });

    it('are 404 and 405 in the bare form where there is nothing to ask', async () => {
      for (const path of [
        '/v3/',
        '/v3/ai',
        '/v3/ai/nope',
        `${risk}/`,
        '/v3/ai/ASSESS_RISK',
        '/v3/ai/%00',
        '/v3/%zz',
      ])
        assertBareRefusal(await sendBare(service.url, path), { status: 404, code: 'unknown_path' }, path);
      for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        const answer = await sendSigned(service, `${risk}?coin=BTC`, { method });
        assertBareRefusal(answer, { status: 405, code: 'method_not_allowed' }, method);
        assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD', 'POST']);
      }
    });
  });

  describe('bytes as they are received', () => {
    const raw = async (lines: string[], body: string | Buffer = ''): Promise<RawAnswer> => {
      const head = [...lines, 'Host: x', `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n');
      const { answers } = await rawExchange(
        service.url,
        [Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)],
        { answers: 1 },
      );
      return answers[0];
    };
    const signed = (method: string, target: string, body = '') => {
      const headers = signatureOf({ method, target, body });
      return [
        `${method} ${target} HTTP/1.1`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ];
    };

    it('are signed, not what a parser makes of them', async () => {
      for (const target of [
        `${price}?quote_asset=USDT&base_asset=BTC`,
        `${price}?base_asset=%42%54C`,
        `${price}?base_asset=BTC&`,
        `${price}?&&base_asset=BTC`,
        `${price}?base_%61sset=BTC`,
      ])
        assert.equal((await raw(signed('GET', target))).status, 200, target);
      const [, ...headers] = signed('GET', `${price}?base_asset=BTC`);
      for (const target of [
        `${price}?base_asset=%42TC`,
        `${price}?base_asset=BTC&`,
        `${price}?&base_asset=BTC`,
      ])
        assert.equal((await raw([`GET ${target} HTTP/1.1`, ...headers])).status, 401, target);
      for (const odd of ['\xff', 'BTC#x'])
        assert.equal((await raw(signed('GET', `${price}?base_asset=${odd}`))).status, 400, odd);
    });

    it('of a body in chunks are those of the body', async () => {
      const body = '{"coin":"BTC"}';
      const chunks = [body.slice(0, 5), body.slice(5)].map(
        (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
      );
      const lines = [...signed('POST', risk, body), 'Host: x', 'Content-Type: application/json'];
      const request = `${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`;
      const { answers } = await rawExchange(service.url, [request], { answers: 1 });
      assert.equal(answers[0].status, 200);
    });

    it('are refused with a header of a signature twice', async () => {
      const [first, ...headers] = signed('GET', `${price}?base_asset=BTC`);
      for (const twice of headers) assert.equal((await raw([first, ...headers, twice])).status, 401, twice);
      const keys = ['svc-api-key: ada', 'svc-api-key: ada'];
      assert.equal((await raw([first, ...headers, ...keys])).status, 401);
    });

    it('of a body with GET are refused, signed or not', async () => {
      const body = '{"base_asset":"BTC"}';
      const lines = [...signed('GET', `${price}?base_asset=BTC`, body), 'Content-Type: application/json'];
      const answer = await raw(lines, body);
      assert.equal(answer.status, 400);
      assert.equal((JSON.parse(answer.body) as { error: { code: string } }).error.code, 'invalid_body');
      assert.equal((await raw(signed('GET', `${price}?base_asset=BTC`), body)).status, 401);
    });

    it('with two User-Agents are no trusted agent', async () => {
      const lines = [`GET ${price}?base_asset=BTC HTTP/1.1`, 'User-Agent: ChatGPT-User/1.0'];
      assert.equal((await raw(lines)).status, 200);
      assert.equal((await raw([...lines, 'User-Agent: ChatGPT-User/1.0'])).status, 401);
    });
  });

  describe('a trusted agent', () => {
    const ask = (headers: Record<string, string>) =>
      sendBare(service.url, `${price}?base_asset=BTC`, { headers });

    it('needs no signature, and is held to the one it carries', async () => {
      assert.equal((await ask(agent)).status, 200);
      assertBareRefusal(await ask({ ...agent, ...signatureOf({ target: 'other' }) }), refused);
      const target = `${price}?base_asset=BTC`;
      assert.equal((await ask({ ...agent, ...signatureOf({ target }) })).status, 200);
    });

    it('is nobody who only looks like it', async () => {
      for (const userAgent of [
        'chatgpt-user',
        'ChatGPT-User evil',
        'x ChatGPT-User/1.0',
        'ChatGPT-User'.padEnd(10_000, 'r'),
      ])
        assertBareRefusal(await ask({ 'User-Agent': userAgent }), refused, userAgent.slice(0, 40));
    });
  });

  it('counts apart who signed, who was trusted and who was refused', async () => {
    const read = async (access: string) =>
      new Scrape(await service.metrics.gateway.registry.metrics()).sum('tidemark_ai_requests_total', {
        access,
      });
    const kinds = ['signature', 'agent', 'refused'];
    const before = await Promise.all(kinds.map(read));
    const target = `${price}?base_asset=BTC`;
    await sendSigned(service, target);
    await sendSigned(service, target, { headers: agent });
    await sendBare(service.url, target, { headers: agent });
    await sendBare(service.url, target);
    const after = await Promise.all(kinds.map(read));
    assert.deepEqual(
      after.map((count, n) => count - before[n]),
      [2, 1, 1],
    );
  });
});

describe('surface D as it is configured', () => {
  const withService = async (env: Record<string, string>, test: (service: TestService) => Promise<void>) => {
    const service = await openTestService({ env: { MARKET: 'demo', ...env }, computeNodes: 0 });
    try {
      const tick = { base: 'BTC', quote: 'USDT', price: 1, change24hPercent: null, time: Date.now() };
      await new Prices(service.deps.redis).put('demo', [tick]);
      await test(service);
    } finally {
      await service.close();
    }
  };
  const target = `${price}?base_asset=BTC`;

  it('without a secret takes no signature at all', () =>
    withService({}, async (service) => {
      for (const secret of ['', 'undefined', testSecret])
        assertBareRefusal(await sendSigned(service, target, { sign: { secret } }), refused);
      assert.equal((await sendBare(service.url, target, { headers: agent })).status, 200);
    }));

  it('with AI_TRUSTED_USER_AGENTS=none trusts nobody', () =>
    withService({ AI_TRUSTED_USER_AGENTS: 'none', AI_API_SECRETS: testSecret }, async (service) => {
      assertBareRefusal(await sendBare(service.url, target, { headers: agent }), refused);
      assert.equal((await sendSigned(service, target)).status, 200);
    }));

  it('with agents narrowed to ranges trusts them from there, as far as proxies are trusted', () =>
    withService(
      { AI_TRUSTED_USER_AGENTS: 'ChatGPT-User@203.0.113.0/24', TRUSTED_HOPS: '1' },
      async (service) => {
        const from = (address: string) =>
          sendBare(service.url, target, { headers: { ...agent, 'x-forwarded-for': address } });
        assert.equal((await from('203.0.113.9')).status, 200);
        assertBareRefusal(await from('198.51.100.1'), refused);
        assertBareRefusal(await from('203.0.113.9, 198.51.100.1'), refused);
      },
    ));
});

describe('the rate limit of surface D', () => {
  /** One service with the usual limits, and one with a tenth of them. */
  let usual: TestService;
  let small: TestService;

  before(async () => {
    const env = { MARKET: 'demo', AI_API_SECRETS: testSecret, TRUSTED_HOPS: '1' };
    const open = (RATE_SIGNED: string, RATE_AGENT: string) =>
      openTestService({ env: { ...env, RATE_SIGNED, RATE_AGENT }, computeNodes: 0 });
    usual = await open('', '');
    small = await open('10', '6');
  });
  after(async () => {
    await usual.close();
    await small.close();
  });

  const signedFrom = (service: TestService, target: string, address: string) =>
    sendSigned(service, target, { headers: { 'x-forwarded-for': address } });
  const limited = { status: 429, code: 'rate_limited' };

  it('takes 100 requests a minute of an address over both endpoints, and refuses the 101st', async () => {
    for (let n = 0; n < 100; n++) {
      const { status, headers } = await signedFrom(usual, n % 2 ? risk : price, '192.0.2.1');
      assert.equal(status, 400);
      assert.equal(headers.get('ratelimit-limit'), '100');
      assert.equal(headers.get('ratelimit-remaining'), String(99 - n));
    }
    for (const target of [risk, price]) {
      const answer = await signedFrom(usual, target, '192.0.2.1');
      assertBareRefusal(answer, limited);
      assert.equal(answer.headers.get('ratelimit-remaining'), '0');
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
      assert.equal(answer.headers.get('ratelimit-reset'), answer.headers.get('retry-after'));
    }
    assert.equal((await signedFrom(usual, price, '192.0.2.2')).status, 400);
    // What stands further left, the client wrote itself.
    assertBareRefusal(await signedFrom(usual, price, '192.0.2.99, 192.0.2.1'), limited);
  });

  it('counts those who are refused, too, and refuses them first', async () => {
    const unsigned = () => sendBare(small.url, price, { headers: { 'x-forwarded-for': '192.0.2.3' } });
    for (let n = 0; n < 10; n++) assertBareRefusal(await unsigned(), refused);
    assertBareRefusal(await unsigned(), limited);
  });

  it('counts an IPv6 network of 64 bits as one address', async () => {
    for (let n = 0; n < 10; n++)
      assert.equal((await signedFrom(small, price, `2001:db8::${n.toString(16)}`)).status, 400);
    assertBareRefusal(await signedFrom(small, price, '2001:db8::ffff:1'), limited);
    assert.equal((await signedFrom(small, price, '2001:db8:0:1::1')).status, 400);
  });

  it('is stricter for agents that carry no signature, and counts them with all others', async () => {
    const trusted = () =>
      sendBare(small.url, price, { headers: { ...agent, 'x-forwarded-for': '192.0.2.4' } });
    for (let n = 0; n < 6; n++) {
      const { status, headers } = await trusted();
      assert.deepEqual([status, headers.get('ratelimit-remaining')], [400, String(5 - n)]);
    }
    assertBareRefusal(await trusted(), limited);
    const own = await signedFrom(small, price, '192.0.2.4');
    assert.deepEqual([own.status, own.headers.get('ratelimit-remaining')], [400, '2']);
  });
});
