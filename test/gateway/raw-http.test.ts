import assert from 'node:assert/strict';
import { assertRefused } from '../support/envelope.js';
import { openTestService, type TestService } from '../support/gateway.js';
import { openSocket, rawExchange, type RawAnswer, type RawExchange } from '../support/raw-http.js';
import { until } from '../support/until.js';

const path = '/backend/core-line/chart';
const body = '{"asset":"NOPE"}';
const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const whole = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;

/** Requests that HTTP itself forbids: one answer, and the connection ends. */
const forbidden: Record<string, [status: number, request: string]> = {
  'two different Content-Length': [400, `${head}Content-Length: 16\r\nContent-Length: 17\r\n\r\n${body}`],
  'the same Content-Length twice': [400, `${head}Content-Length: 16\r\nContent-Length: 16\r\n\r\n${body}`],
  'Content-Length: 16, 16': [400, `${head}Content-Length: 16, 16\r\n\r\n${body}`],
  'Content-Length: -1': [400, `${head}Content-Length: -1\r\n\r\n${body}`],
  'Content-Length: +16': [400, `${head}Content-Length: +16\r\n\r\n${body}`],
  'Content-Length: 1e1': [400, `${head}Content-Length: 1e1\r\n\r\n${body}`],
  'a Content-Length of 30 digits': [400, `${head}Content-Length: ${'9'.repeat(30)}\r\n\r\n${body}`],
  'Content-Length and Transfer-Encoding': [
    400,
    `${head}Content-Length: 16\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n${body}\r\n0\r\n\r\n`,
  ],
  'Transfer-Encoding: xchunked': [
    400,
    `${head}Transfer-Encoding: xchunked\r\n\r\n10\r\n${body}\r\n0\r\n\r\n`,
  ],
  'Transfer-Encoding: chunked, identity': [
    400,
    `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  ],
  'a space before the colon': [400, `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
  'a chunk size that is no number': [
    400,
    `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
  ],
  'a chunk longer than it says': [400, `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n${body}\r\n0\r\n\r\n`],
  'a chunk size of 30 digits': [400, `${head}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(30)}\r\n`],
  'a flood of chunk extensions': [
    413,
    `${head}Transfer-Encoding: chunked\r\n\r\n1;${'a=b;'.repeat(20_000)}\r\n{\r\n`,
  ],
  'a header of 20 kB': [431, `${head}X: ${'a'.repeat(20_000)}\r\n\r\n`],
  'a URL of 20 kB': [431, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  'NUL in a header': [400, `${head}X: a\0b\r\n\r\n`],
  'a folded header': [400, `${head}X: a\r\n b: c\r\nContent-Length: 0\r\n\r\n`],
  'a header without a colon': [400, `${head}nonsense\r\n\r\n`],
  'HTTP/9.9': [400, 'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n'],
  'a method that is none': [400, 'FROB /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  'no HTTP at all': [400, 'nonsense\r\n\r\n'],
  'a TLS hello': [400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
};

describe('bytes that no HTTP client sends', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
  });
  after(() => service.close());
  afterEach('the gateway still serves', async () => {
    const answer = await service.post(path, { asset: 'NOPE' });
    assertRefused(answer, { status: 400, type: 'INVALID_INPUT_ASSET', field: 'asset' });
  });

  const exchange = (request: string, options?: Parameters<typeof rawExchange>[2]): Promise<RawExchange> =>
    rawExchange(service.url, [Buffer.from(request, 'latin1')], options);

  /** Fails unless a refusal of the HTTP layer comes in the envelope, with a request id. */
  function assertEnvelope({ status, headers, body: text }: RawAnswer, expected: number): void {
    assert.equal(status, expected, text);
    const { result, payload } = JSON.parse(text) as {
      result: { type: string };
      payload: { requestId: string };
    };
    assert.match(result.type, /^INVALID_INPUT_[A-Z_]+$/);
    assert.deepEqual(Object.keys(payload), ['message', 'requestId']);
    assert.equal(headers['x-request-id'], payload.requestId);
    assert.match(headers['content-type'], /^application\/json/);
    assert.equal(headers.connection, 'close');
  }

  for (const [what, [status, request]] of Object.entries(forbidden))
    it(`${what} is answered with ${status} and the end of the connection`, async () => {
      const { answers, closed, ms } = await exchange(request);
      assert.equal(answers.length, 1);
      assert.equal(answers[0].status, status);
      assert.ok(closed && ms < 1_000);
    });

  it('two Host headers are refused', async () => {
    const { answers } = await exchange(
      'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
    );
    assert.equal(answers[0].status, 400);
  });

  it('refusals of the HTTP layer come in the envelope too', async () => {
    assertEnvelope((await exchange(forbidden['a header without a colon'][1])).answers[0], 400);
    assertEnvelope((await exchange(forbidden['a header of 20 kB'][1])).answers[0], 431);
    assertEnvelope((await exchange('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).answers[0], 400);
  });

  it('CONNECT and TRACE are answered with 405', async () => {
    for (const request of ['CONNECT example.com:443', 'TRACE /healthz']) {
      const { answers } = await exchange(`${request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [405],
        request,
      );
    }
  });

  it('an expectation nobody knows is answered with 417', async () => {
    const { answers } = await exchange(
      `${head}Expect: junk\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [417],
    );
    const { result, payload } = JSON.parse(answers[0].body) as { result: object; payload: object };
    assert.deepEqual(result, { type: 'INVALID_INPUT_CONTENT' });
    assert.deepEqual(payload, {
      message: 'no expectation but "100-continue" is met',
      requestId: answers[0].headers['x-request-id'],
    });
  });

  it('Expect: 100-continue is followed by the answer', async () => {
    const { answers } = await exchange(
      whole.replace('Host: x\r\n', 'Host: x\r\nExpect: 100-continue\r\nConnection: close\r\n'),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [100, 400],
    );
  });

  it('a body shorter than its Content-Length, then the end, costs one connection', async () => {
    const { answers } = await exchange(`${head}Content-Length: 1000\r\n\r\n${body}`, { end: true });
    for (const { status } of answers) assert.equal(status, 400);
  });

  it('a body aborted half way costs nothing', async () => {
    for (const path of ['/backend/login', '/backend/core-line/chart', '/backend/core-line/backtest']) {
      const request = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      for (const rest of [
        'Content-Length: 1000\r\n\r\n{"asset"',
        'Transfer-Encoding: chunked\r\n\r\n8\r\n{"asset"',
        'Content-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n\x1f\x8b\x08\x00',
      ]) {
        const socket = openSocket(service.url);
        await new Promise<void>((resolve) =>
          socket.write(Buffer.from(request + rest, 'latin1'), () => resolve()),
        );
        socket.resetAndDestroy();
      }
    }
  });

  it('a body longer than its Content-Length ends the connection', async () => {
    const { answers, closed } = await exchange(
      `${head}Content-Length: ${body.length}\r\n\r\n${body}${'x'.repeat(50)}\r\n\r\n`,
    );
    assert.ok(closed);
    for (const { status } of answers) assert.equal(status, 400);
  });

  it('100 MB announced and sent are refused without being kept', async () => {
    const before = process.memoryUsage().rss;
    const chunk = Buffer.alloc(1_000_000, 32);
    const length = 100 * chunk.length;
    const { answers } = await rawExchange(
      service.url,
      [`${head}Content-Length: ${length}\r\n\r\n`, ...Array.from({ length: 20 }, () => chunk)],
      { answers: 1 },
    );
    assert.equal(answers[0].status, 413);
    assert.ok(process.memoryUsage().rss - before < 100e6);
  });

  it('a request in single bytes is understood', async () => {
    const parts = [...whole.replace('Host: x\r\n', 'Host: x\r\nConnection: close\r\n')];
    const { answers } = await rawExchange(service.url, parts);
    assert.deepEqual(JSON.parse(answers[0].body).result, { type: 'INVALID_INPUT_ASSET' });
  });

  it('requests in one packet are answered in order', async () => {
    const requests = ['a', 'b', 'c', 'd'].map((id) =>
      whole.replace('Host: x\r\n', `Host: x\r\nx-request-id: ${id}\r\n`),
    );
    const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\nx-request-id: e\r\nConnection: close\r\n\r\n';
    const { answers } = await exchange(requests.join('') + health);
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['x-request-id']]),
      [
        [400, 'a'],
        [400, 'b'],
        [400, 'c'],
        [400, 'd'],
        [200, 'e'],
      ],
    );
  });

  it('a path that looks like an address stays a path', async () => {
    for (const target of [
      '//backend/login',
      '//evil.example/healthz',
      '/\\evil.example',
      '/./healthz',
      '/x/../healthz',
    ]) {
      const { answers } = await exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.ok([400, 404].includes(answers[0].status), `${target}: ${answers[0].status}`);
    }
  });

  /** How long connections live that send a letter every half second after their beginning, and what they are told. */
  async function drip(beginning: string, longestMs: number): Promise<{ ms: number; texts: string[] }> {
    const sockets = Array.from({ length: 20 }, () => openSocket(service.url));
    const texts = sockets.map(() => '');
    let open = sockets.length;
    const started = performance.now();
    sockets.forEach((socket, i) => {
      socket.on('data', (chunk) => (texts[i] += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => open--);
      socket.write(beginning);
    });
    const letters = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('a')), 500);
    try {
      await until('the end of slow connections', () => open === 0, longestMs);
    } finally {
      clearInterval(letters);
      for (const socket of sockets) socket.destroy();
    }
    return { ms: performance.now() - started, texts };
  }

  it('slow headers end after about 5 s', async function () {
    this.timeout(12_000);
    const { ms, texts } = await drip('POST /backend/login HTTP/1.1\r\nHost: x\r\nX-Slow: ', 9_000);
    assert.ok(ms > 4_500 && ms < 8_000, `${ms} ms`);
    for (const text of texts) assert.match(text, /^HTTP\/1\.1 408 /);
  });

  it('a slow body ends after about 10 s', async function () {
    this.timeout(18_000);
    const { ms, texts } = await drip(`${head}Content-Length: 1000\r\n\r\n{"asset": "`, 15_000);
    assert.ok(ms > 9_500 && ms < 13_000, `${ms} ms`);
    for (const text of texts) assert.match(text, /^HTTP\/1\.1 408 /);
  });

  it('the address of another host is refused', async () => {
    const { answers } = await exchange(
      'GET http://other/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    assert.equal(answers[0].status, 400);
  });

  it('a flood of headers is answered with 431, none of them dropped in silence', async () => {
    const flood = Array.from({ length: 1_200 }, (_, n) => `a${n}: 1\r\n`).join('');
    const { answers } = await exchange(
      `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${flood}\r\n`,
    );
    assert.equal(answers[0].status, 431);
  });

  it('a request without a Host is refused', async () => {
    const { answers } = await exchange('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.equal(answers[0].status, 400);
  });
});

describe('more connections than are taken', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { MAX_CONNECTIONS: '10' } });
  });
  after(() => service.close());

  it('are closed at once, and room is made by those that end', async () => {
    const sockets = Array.from({ length: 17 }, () => openSocket(service.url));
    let closed = 0;
    for (const socket of sockets) socket.on('error', () => undefined).on('close', () => closed++);
    await until('the end of those above the cap', () => closed === 7, 3_000);
    for (const socket of sockets) socket.destroy();
    const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    await until('room', async () => {
      const { answers } = await rawExchange(service.url, [get]).catch(() => ({ answers: [] }));
      return answers.some(({ status }) => status === 200);
    });
  });
});
