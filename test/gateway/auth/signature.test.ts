import assert from 'node:assert/strict';
import fc from 'fast-check';
import { verifySignature, type SignedRequest } from '../../../gateway/auth/signature.js';
import { readApiSecrets } from '../../../storage/users/api-secrets.js';
import { signatureOf, testSecret } from '../../support/gateway/signed.js';

const at = 1_700_000_000;
const nowMs = at * 1_000;
const secrets = readApiSecrets(testSecret);

/** The test vectors of the interface. */
const vectors = [
  {
    method: 'GET',
    target: '/v3/ai/get_price?base_asset=BTC&quote_asset=USDT',
    body: '',
    signature: '0a2415dfbe894cf4cf0965f147bd34feb7d53070e93d9f99b5a7a7576494f670',
  },
  {
    method: 'POST',
    target: '/v3/ai/assess_risk',
    body: '{"coin":"BTC"}',
    signature: '1ea890716711701ac9fbcaf0fbb079f76a002d3577c5a87a15ea89ea0e7a3ee1',
  },
];
const [get, post] = vectors;

const requestOf = (
  { method, target, body, signature }: (typeof vectors)[number],
  headers: Record<string, string> = {},
): SignedRequest => ({
  method,
  target,
  body: Buffer.from(body),
  headers: { 'x-timestamp': String(at), 'x-signature': signature, ...headers },
});

const verify = (request: SignedRequest, now = nowMs, known = secrets) => verifySignature(request, known, now);

describe('verifySignature', () => {
  it('takes the test vectors of the interface', () => {
    for (const vector of vectors) assert.equal(verify(requestOf(vector)), true, vector.target);
  });

  it('takes a timestamp 299 s and 300 s away, and refuses one 301 s away', () => {
    for (const sign of [1, -1]) {
      for (const [seconds, expected] of [
        [0, true],
        [299, true],
        [300, true],
        [301, false],
        [3_600, false],
      ] as const)
        assert.equal(verify(requestOf(get), nowMs + sign * seconds * 1_000), expected, `${sign * seconds} s`);
    }
    // The fraction of a second that the client has lost does not count against it.
    assert.equal(verify(requestOf(get), nowMs + 300_999), true);
    assert.equal(verify(requestOf(get), nowMs - 300_001), false);
  });

  it('takes a timestamp of 13 digits as milliseconds', () => {
    const timestamp = String(nowMs);
    const signed = requestOf(get, signatureOf({ ...get, timestamp }));
    for (const [ms, expected] of [
      [0, true],
      [300_000, true],
      [-300_000, true],
      [300_001, false],
      [-300_001, false],
    ] as const)
      assert.equal(verify(signed, nowMs + ms), expected, `${ms} ms`);
  });

  it('takes the prefixes v1= and sha256=, and no other form of a signature', () => {
    const { signature } = get;
    for (const given of [`v1=${signature}`, `sha256=${signature}`])
      assert.equal(verify(requestOf(get, { 'x-signature': given })), true, given);
    for (const given of [
      signature.toUpperCase(),
      `V1=${signature}`,
      `sha512=${signature}`,
      `v1=v1=${signature}`,
      `${signature}, ${signature}`,
      `${signature}\n`,
      ` ${signature}`,
      signature.slice(1),
      `${signature}0`,
      `0x${signature}`,
      Buffer.from(signature, 'hex').toString('base64'),
      '',
      'undefined',
    ])
      assert.equal(verify(requestOf(get, { 'x-signature': given })), false, JSON.stringify(given));
  });

  it('refuses a timestamp that is no whole number of 10 or 13 digits, though signed', () => {
    for (const timestamp of [
      ...[
        '',
        '0',
        '-1',
        `+${at}`,
        ` ${at}`,
        `${at} `,
        `${at}.0`,
        `0${at}`,
        `00${at}`,
        `0x${at.toString(16)}`,
      ],
      ...['1.7e9', `${at}, ${at}`, '１７０００００００0', `${at}000000`, 'NaN', 'now', '9'.repeat(400)],
    ]) {
      const request = requestOf(get, signatureOf({ ...get, timestamp }));
      assert.equal(verify(request), false, JSON.stringify(timestamp));
    }
  });

  it('refuses a request without either header', () => {
    const { method, target, body, headers } = requestOf(get);
    for (const name of Object.keys(headers)) {
      const rest = Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));
      assert.equal(verify({ method, target, body, headers: rest }), false, name);
    }
  });

  it('tries every secret without svc-api-key, and those of the key with it', () => {
    const known = readApiSecrets('old, ada:first,ada:second,bob:third');
    const by = (secret: string, key?: string) =>
      verify(
        requestOf(post, {
          ...signatureOf({ ...post, secret, timestamp: String(at) }),
          ...(key === undefined ? {} : { 'svc-api-key': key }),
        }),
        nowMs,
        known,
      );
    for (const secret of ['old', 'first', 'second', 'third']) assert.equal(by(secret), true, secret);
    assert.equal(by('other'), false);
    assert.deepEqual([by('first', 'ada'), by('second', 'ada'), by('third', 'bob')], [true, true, true]);
    assert.deepEqual([by('third', 'ada'), by('old', 'ada'), by('first', 'bob')], [false, false, false]);
    for (const key of ['nobody', '', 'ADA', 'ada, ada', 'null', '__proto__'])
      assert.equal(by('first', key), false, key);
  });

  it('takes nothing where no secret is configured', () => {
    assert.equal(verify(requestOf(get), nowMs, []), false);
    for (const secret of ['', 'null', 'undefined'])
      assert.equal(
        verify(requestOf(get, signatureOf({ ...get, secret, timestamp: String(at) })), nowMs, []),
        false,
      );
  });

  it('signs the bytes of target and body, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 200 }), (path, bytes) => {
        const target = `/${Buffer.from(path).toString('latin1')}`;
        const body = Buffer.from(bytes);
        const headers = signatureOf({ method: 'POST', target, body, timestamp: String(at) });
        return verify({ method: 'POST', target, body, headers });
      }),
    );
  });

  it('refuses a request of which any byte was changed, added, dropped or moved', () => {
    const parts = ['method', 'target', 'body', 'x-timestamp', 'x-signature'] as const;
    const edit = fc.record({
      part: fc.constantFrom(...parts),
      place: fc.nat(),
      byte: fc.integer({ min: 1, max: 255 }),
      how: fc.constantFrom('change', 'add', 'drop'),
    });
    fc.assert(
      fc.property(fc.constantFrom(...vectors), edit, (vector, { part, place, byte, how }) => {
        const request = requestOf(vector);
        const { method, target, headers } = request;
        const texts: Record<(typeof parts)[number], string> = {
          method,
          target,
          body: request.body.toString('latin1'),
          'x-timestamp': String(headers['x-timestamp']),
          'x-signature': String(headers['x-signature']),
        };
        const before = texts[part];
        const at = place % (before.length + 1);
        const put = how === 'change' ? (before.charCodeAt(at) || 0) ^ byte : byte;
        const after =
          before.slice(0, at) +
          (how === 'drop' ? '' : String.fromCharCode(put)) +
          before.slice(how === 'add' ? at : at + 1);
        fc.pre(after !== before);
        texts[part] = after;
        return !verify({
          method: texts.method,
          target: texts.target,
          body: Buffer.from(texts.body, 'latin1'),
          headers: { 'x-timestamp': texts['x-timestamp'], 'x-signature': texts['x-signature'] },
        });
      }),
      { numRuns: 3_000 },
    );
  });

  it('refuses what was moved from one part to the next', () => {
    const { 'x-timestamp': timestamp, 'x-signature': signature } = requestOf(post).headers;
    const moved: SignedRequest = {
      method: `${post.method}\n/v3/ai`,
      target: '/assess_risk',
      body: Buffer.from(post.body),
      headers: { 'x-timestamp': timestamp, 'x-signature': signature },
    };
    assert.equal(verify(moved), false);
  });
});
