import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { brotliCompressSync, constants, createGunzip, deflateSync, gzipSync } from 'node:zlib';
import { routeTable } from '../../../gateway/routes/table.js';
import { hashPassword } from '../../../storage/users/password.js';
import { assertRefused, send, type Refusal } from '../../support/gateway/envelope.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openTestMarket } from '../../support/candles/market.js';
import { rawExchange } from '../../support/gateway/raw-http.js';
import { headAt } from '../../support/gateway/raw-requests.js';
import { within } from '../../support/process/within.js';

const limit = 64 * 1024;
const login = { email: 'ada@example.com', password: 'a password' };
const routes = {
  '/backend/login': login,
  '/backend/core-line/chart': { asset: 'BTC', limit: 5 },
  '/backend/core-line/flip-intelligence': { asset: 'BTC', limit: 5 },
  '/backend/core-line/backtest': { asset: 'BTC' },
};

type Body = string | Buffer<ArrayBuffer>;

const wrongType: Refusal = { status: 415, type: 'INVALID_INPUT_BODY' };
const unreadable: Refusal = { status: 400, type: 'INVALID_INPUT_BODY' };
const tooLarge: Refusal = { status: 413, type: 'INVALID_INPUT_BODY' };
const noObject: Refusal = { status: 400, type: 'INVALID_INPUT_CONTENT' };

const unknownField = (field: string): Refusal => ({ ...noObject, field });
const badX = unknownField('x');

const json = { 'Content-Type': 'application/json' };
const typed = (type: string) => ({ 'Content-Type': type });
const encoded = (encoding: string) => ({ ...json, 'Content-Encoding': encoding });

const spaces = Buffer.alloc(64_000_000, 32);
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/** Small bodies that hold 64 MB. */
const bombs = { gzip: gzipSync(spaces), br: brotliCompressSync(spaces, quickly) };

/** Bad bodies of any route, made of a body that is good there. */
function badBodies(good: object): [what: string, body: Body, headers: Record<string, string>, Refusal][] {
  const text = JSON.stringify(good);
  const bytes = Buffer.from(text);
  const withField = (json: string) => `${text.slice(0, -1)},${json}}`;
  const padded = (length: number) => text.padEnd(length);
  return [
    ['no Content-Type', bytes, {}, wrongType],
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      '*/*',
    ].map(
      (type) =>
        [`Content-Type ${type}`, text, typed(type), wrongType] satisfies [string, Body, object, Refusal],
    ),
    ...[
      'application/jsonx',
      'application/json+xml',
      'application/json, text/plain',
      'application/problem+json',
    ].map(
      (type) =>
        [`Content-Type ${type}`, text, typed(type), wrongType] satisfies [string, Body, object, Refusal],
    ),
    ...['utf-16', 'utf-16le', 'latin1', 'junk', 'utf-7', '"utf-8'].map(
      (charset) =>
        [`charset ${charset}`, text, typed(`application/json; charset=${charset}`), wrongType] satisfies [
          string,
          Body,
          object,
          Refusal,
        ],
    ),
    ...['junk', 'zstd', 'gzip, gzip', 'constructor', '__proto__'].map(
      (encoding) =>
        [`Content-Encoding ${encoding}`, text, encoded(encoding), wrongType] satisfies [
          string,
          Body,
          object,
          Refusal,
        ],
    ),
    ['an opening brace', '{', json, unreadable],
    ['no JSON', 'asset=BTC', json, unreadable],
    ['single quotes', text.replaceAll('"', "'"), json, unreadable],
    ['a comma at the end', `${text.slice(0, -1)},}`, json, unreadable],
    ['two objects', text + text, json, unreadable],
    ['NaN', withField('"x":NaN'), json, unreadable],
    ['a comment', `/* x */${text}`, json, unreadable],
    ['a byte order mark', `\ufeff${text}`, json, unreadable],
    ['UTF-16', Buffer.from(text, 'utf16le'), json, unreadable],
    [
      'bytes that are not UTF-8',
      Buffer.concat([bytes.subarray(0, -1), Buffer.from(',"x":"\xff"}', 'latin1')]),
      json,
      unreadable,
    ],
    [
      'a surrogate in UTF-8',
      Buffer.concat([bytes.subarray(0, -1), Buffer.from(',"x":"\xed\xa0\x80"}', 'latin1')]),
      json,
      unreadable,
    ],
    ['NUL at the end', `${text}\0`, json, unreadable],
    ['a line break in a text', withField('"x":"\n"'), json, unreadable],
    ['a gzip that is none', text, encoded('gzip'), unreadable],
    ['a gzip that is cut off', gzipSync(bytes).subarray(0, -10), encoded('gzip'), unreadable],
    ['a deflate that is none', text, encoded('deflate'), unreadable],
    ['a brotli that is none', text, encoded('br'), unreadable],
    ['65,537 bytes', padded(limit + 1), json, tooLarge],
    ['1 MB', padded(1_000_000), json, tooLarge],
    ['a gzip of 64 MB', bombs.gzip, encoded('gzip'), tooLarge],
    ['a brotli of 64 MB', bombs.br, encoded('br'), tooLarge],
    ['nothing', '', json, noObject],
    ['spaces', '  \r\n\t ', json, noObject],
    ...['null', '1', '-0', 'true', '"x"', '[]', `[${text}]`, `"${'x'.repeat(1_000)}"`].map(
      (body) => [body.slice(0, 20), body, json, noObject] satisfies [string, Body, object, Refusal],
    ),
    ['20,000 arrays in one another', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, json, unreadable],
    ['half a surrogate pair', withField('"x":{"y":["\\ud800"]}'), json, unknownField('x.y[0]')],
    ['1e400', withField('"x":1e400'), json, badX],
    ['1e-400', withField('"x":[1e-400]'), json, unknownField('x[0]')],
    ['the key __proto__', withField('"__proto__":{"x":1}'), json, unreadable],
    ['the key __proto__ further down', withField('"x":{"__proto__":1}'), json, unreadable],
    ['a key given twice further down', withField('"x":{"y":1,"y":2}'), json, badX],
    [
      '20,000 keys',
      withField(
        Array.from({ length: 20_000 }, () => '"":1')
          .join()
          .slice(0, 60_000),
      ),
      json,
      unreadable,
    ],
    ...['x', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$ne', 'a.b', '', 'ä', '0'].map(
      (field) =>
        [
          `the field "${field}"`,
          withField(`${JSON.stringify(field)}:{"x":1}`),
          json,
          unknownField(field),
        ] satisfies [string, Body, object, Refusal],
    ),
    ['objects 10,000 deep', withField(`"x":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), json, badX],
    [
      '6,000 fields',
      withField(Array.from({ length: 6_000 }, (_, n) => `"f${n}":1`).join()),
      json,
      unreadable,
    ],
  ];
}

describe('request bodies', () => {
  let service: TestService;
  let token: string;
  let operatorToken: string;

  before(async () => {
    ({ service, token } = await openTestMarket());
    operatorToken = await service.signIn({ operator: true });
    const passwordHash = await hashPassword(login.password);
    await service.storage.users.add({ email: login.email, plan: 'free', passwordHash });
  });
  after(() => service.close());

  for (const [path, good] of Object.entries(routes)) {
    const post = (body: Body, headers: Record<string, string>) =>
      send(service, path, body, { 'session-token': token, ...headers });

    describe(path, () => {
      for (const [what, body, headers, expected] of badBodies(good)) {
        it(`refuses ${what}`, async () => {
          assertRefused(await within('the refusal', post(body, headers)), expected, what);
        });
      }

      it('takes JSON of exactly 64 KiB, with or without a charset', async () => {
        const text = JSON.stringify(good).padEnd(limit);
        for (const type of [
          'application/json',
          'application/json; charset=utf-8',
          'Application/JSON;charset="UTF-8"',
        ])
          assert.equal((await post(text, typed(type))).status, 200, type);
      });

      it('takes compressed JSON', async () => {
        const bytes = Buffer.from(JSON.stringify(good));
        const packed = {
          gzip: gzipSync(bytes),
          'X-GZip': gzipSync(bytes),
          Deflate: deflateSync(bytes),
          br: brotliCompressSync(bytes),
        };
        for (const [encoding, body] of Object.entries(packed))
          for (const name of [encoding, encoding.toUpperCase()])
            assert.equal((await post(body, encoded(name))).status, 200, name);
        assert.equal((await post(Buffer.from(bytes), encoded('identity'))).status, 200);
      });

      it('refuses a field given twice, be it with the same value', async () => {
        const [[field, value]] = Object.entries(good);
        const text = JSON.stringify(good);
        for (const other of [1, value]) {
          const twice = `{${JSON.stringify(field)}:${JSON.stringify(other)},${text.slice(1)}`;
          assertRefused(await post(twice, json), {
            ...{ status: 400, type: `INVALID_INPUT_${field.toUpperCase()}`, field },
          });
        }
      });

      it('takes nothing from prototypes', async () => {
        const [field] = Object.keys(good);
        assertRefused(await post(`{"__proto__":${JSON.stringify(good)}}`, json), unreadable);
        assert.equal(({} as Record<string, unknown>)[field], undefined);
      });
    });
  }

  /** Bodies that no route takes, whatever it asks for. */
  const never: [what: string, body: Body, headers: Record<string, string>, Refusal][] = [
    ['text', '{}', typed('text/plain'), wrongType],
    ['a form', 'a=1', typed('application/x-www-form-urlencoded'), wrongType],
    ['a charset', '{}', typed('application/json; charset=utf-16'), wrongType],
    ['an encoding', '{}', encoded('zstd'), wrongType],
    ['no type', Buffer.from('{}'), {}, wrongType],
    ...['null', '"x"', '[]', '[{}]', '1', ' '].map(
      (text) => [`the body ${text}`, text, json, noObject] satisfies [string, Body, object, Refusal],
    ),
    ['a byte order mark', '\ufeff{}', json, unreadable],
    ['two objects', '{}{}', json, unreadable],
    ['__proto__', '{"__proto__":{}}', json, unreadable],
    ['a key twice', '{"x":1,"x":1}', json, badX],
    ['half a surrogate pair', '{"x":"\\ud800"}', json, badX],
    ['1e400', '{"x":1e400}', json, badX],
    ['20,000 levels', '['.repeat(20_000), json, unreadable],
    ['100,000 keys', `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join()}}`, json, tooLarge],
    ['65,537 bytes', '{}'.padEnd(limit + 1), json, tooLarge],
    ['a bomb', bombs.br, encoded('br'), tooLarge],
  ];
  // Members' signals name faults as those of partners do, which have suites of their own.
  for (const { path, operation } of routeTable.filter(
    ({ method, surface, operation: { id } }) =>
      method === 'POST' && surface === 'envelope' && !id.startsWith('member-'),
  ))
    it(`that nobody takes are refused at ${path}`, async () => {
      // Refused bodies end no session.
      const headers = { 'session-token': operation.scope === 'operator' ? operatorToken : token };
      for (const [what, body, more, expected] of never)
        assertRefused(await send(service, path, body, { ...headers, ...more }), expected, what);
    });

  it('with two Content-Types are refused, be they the same', async () => {
    const text = JSON.stringify(login);
    for (const other of ['application/json', 'text/plain']) {
      const { answers } = await rawExchange(service.url, [
        `${headAt('/backend/login')}Content-Type: ${other}\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [415],
        other,
      );
    }
  });

  it('that are refused when they have arrived leave their connection fit for the next request', async () => {
    const head = headAt('/backend/login');
    const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const text = JSON.stringify(login).slice(1);
    for (const [encoding, status] of [
      ['', 400],
      ['Content-Encoding: gzip\r\n', 400],
      ['Content-Encoding: junk\r\n', 415],
    ] as const) {
      const { answers } = await rawExchange(service.url, [
        `${head}${encoding}Content-Length: ${text.length}\r\n\r\n${text}${health}`,
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [status, 200],
      );
    }
  });

  it('that are refused before they have arrived end their connection', async () => {
    const padded = JSON.stringify(login).padEnd(1_000_000);
    const head = headAt('/backend/login');
    const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    for (const encoding of ['', 'Content-Encoding: gzip\r\n', 'Content-Encoding: junk\r\n']) {
      const { answers, closed } = await rawExchange(service.url, [
        `${head}${encoding}Content-Length: ${padded.length}\r\n\r\n${padded}${health}`,
      ]);
      const refused = { '': 413, 'Content-Encoding: gzip\r\n': 413, 'Content-Encoding: junk\r\n': 415 }[
        encoding
      ];
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.connection]),
        [[refused, 'close']],
      );
      assert.ok(closed);
    }
  });

  it('of a refused request leave the service as it was', async () => {
    let inflatedBytes = 0;
    const inflater = createGunzip().constructor.prototype as Duplex;
    inflater.push = function (this: Duplex, chunk: Buffer | null) {
      inflatedBytes += chunk?.length ?? 0;
      return Duplex.prototype.push.call(this, chunk);
    };
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send(service, '/backend/login', bombs.gzip, encoded('gzip'))),
      );
      for (const answer of answers) assertRefused(answer, tooLarge);
    } finally {
      Reflect.deleteProperty(inflater, 'push');
    }
    // 20 bombs are 1.3 GB inflated. Of each 64 KiB are wanted, and the inflater goes on a little before it is stopped.
    assert.ok(inflatedBytes > 20 * limit && inflatedBytes < 40e6, `${inflatedBytes} bytes`);
    assert.equal((await service.post('/backend/login', login)).status, 200);
  });
});
