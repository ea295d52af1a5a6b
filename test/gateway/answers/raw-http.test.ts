import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/gateway/envelope.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import {
  openSocket,
  rawExchange,
  readAnswers,
  type RawAnswer,
  type RawExchange,
} from '../../support/gateway/raw-http.js';
import {
  forbiddenAt,
  headAt,
  nonsense,
  oddPaths,
  refusedAt,
  refusedBody,
} from '../../support/gateway/raw-requests.js';
import { until } from '../../support/process/until.js';

const path = '/backend/core-line/chart';
const head = headAt(path);
/** The text cut at these places. */
function pieces(text: string, places: readonly number[]): string[] {
  const cuts = [0, ...places.map(Math.trunc).sort((one, two) => one - two), text.length];
  return cuts
    .slice(1)
    .map((end, n) => text.slice(cuts[n], end))
    .filter((piece) => piece !== '');
}
const whole = `${head}Content-Length: ${refusedBody.length}\r\n\r\n${refusedBody}`;

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

  /** Fails unless a refusal comes alone, in the form of the surface that was asked, under the id of its header. */
  function assertForm({ answers }: Pick<RawExchange, 'answers'>, status: number, at: string): RawAnswer {
    assert.equal(answers.length, 1);
    const [answer] = answers;
    assert.equal(answer.status, status, answer.body);
    const { result, payload, error } = JSON.parse(answer.body) as {
      result?: { type: string };
      payload?: { requestId: string };
      error?: { code: string; requestId: string };
    };
    const isBare = at.startsWith('/v3/');
    assert.match(
      String(isBare ? error?.code : result?.type),
      isBare ? /^[a-z_]+$/ : /^INVALID_INPUT_[A-Z_]+$/,
    );
    assert.deepEqual([error === undefined, payload === undefined], [!isBare, isBare], answer.body);
    assert.deepEqual(Object.keys((error ?? payload)!).slice(isBare ? 1 : 0), ['message', 'requestId']);
    assert.equal(answer.headers['x-request-id'], (error ?? payload)!.requestId);
    assert.match(answer.headers['content-type'], /^application\/json/);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers.connection, 'close');
    return answer;
  }

  for (const at of [path, '/v3/ai/get_price']) {
    for (const [what, [status, request]] of Object.entries(forbiddenAt(at)))
      it(`${what} is answered with ${status} and the end of the connection at ${at}`, async () => {
        for (const parts of [[request], pieces(request, [3, 12, 40, request.length / 2])]) {
          const found = await rawExchange(service.url, parts, { apart: true });
          assertForm(found, status, at);
          assert.ok(found.closed);
        }
      });

    for (const [what, [status, request]] of Object.entries(refusedAt(at)))
      it(`${what} is answered with ${status} at ${at}`, async () => {
        const { headers } = assertForm(await exchange(request), status, at);
        const methods = at === path ? ['POST'] : ['GET', 'HEAD', 'POST'];
        assert.deepEqual(headers.allow?.split(', ').sort(), status === 405 ? methods : undefined);
      });
  }

  it('a fault is answered in the form of its own request, whatever came before, in whatever packets', async () => {
    const asked = fc.constantFrom(path, '/v3/ai/get_price');
    const good = fc.record({ at: asked, isChunked: fc.boolean() }).map(({ at, isChunked }) => {
      const [length, body] = isChunked
        ? ['Transfer-Encoding: chunked', `10\r\n${refusedBody}\r\n0\r\n\r\n`]
        : [`Content-Length: ${refusedBody.length}`, refusedBody];
      return `${headAt(at)}${length}\r\n\r\n${body}`;
    });
    const wrong = fc.record({
      at: asked,
      fault: fc.constantFrom(
        'a header of 20 kB',
        'a URL of 20 kB',
        'a folded header',
        'a chunk size that is no number',
      ),
    });
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(good, { maxLength: 3 }), wrong, cuts, async (before, { at, fault }, cuts) => {
        const [status, request] = forbiddenAt(at)[fault];
        const text = before.join('') + request;
        // Most of the bytes are those of the fault, but most of the places worth a cut are before that.
        const most = before.join('').length + 100;
        const parts = pieces(
          text,
          cuts.map((cut) => cut * most),
        );
        const { answers } = await rawExchange(service.url, parts, { apart: true });
        assert.equal(answers.length, before.length + 1);
        assertForm({ answers: answers.slice(-1) }, status, at);
      }),
      { numRuns: 80 },
    );
  });

  it('a target with the name of the host is answered in the form of its path', async () => {
    const [, request] = forbiddenAt('http://x/v3/ai/get_price')['a header of 20 kB'];
    assertForm(await exchange(request), 431, '/v3/ai/get_price');
  });

  for (const [what, [status, request]] of Object.entries(nonsense))
    it(`${what} is answered with ${status} and the end of the connection`, async () => {
      const found = await exchange(request);
      assertForm(found, status, '/');
      assert.ok(found.closed);
    });

  it('CONNECT is answered with 405 and what is taken, and opens nothing', async () => {
    for (const target of ['example.com:443', '127.0.0.1:6379', '/v3/ai/get_price']) {
      const answer = await exchange(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\nPING\r\n`);
      assert.equal(assertForm(answer, 405, '/').headers.allow, 'GET, POST');
      assert.ok(answer.closed);
    }
  });

  it('OPTIONS of the whole server is refused', async () => {
    assertForm(await exchange('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), 400, '/');
  });

  for (const target of oddPaths)
    it(`${target} stays the path it is, at which there is nothing`, async () => {
      for (const method of ['GET', 'POST']) {
        const request = `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
        assertForm(await exchange(request), 404, target);
      }
    });

  it('of a good request of which some were changed are answered, never with a fault of the service', async () => {
    const good = whole.replace('Host: x\r\n', 'Host: x\r\nConnection: close\r\n');
    const edit = fc.record({
      place: fc.nat(good.length - 1),
      dropped: fc.constantFrom(0, 0, 1, 2, 20),
      put: fc.oneof(
        fc.constantFrom(
          '',
          '\r\n',
          '\0',
          ':',
          ' ',
          ',',
          '%',
          '\xff',
          'Host: y\r\n',
          '"',
          '{',
          '/v3/ai/',
          '?',
        ),
        fc.string({ maxLength: 4 }),
      ),
    });
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(path, '/v3/ai/get_price'), edits, async (at, edits) => {
        let text = good.replace(path, at);
        for (const { place, dropped, put } of edits)
          text = text.slice(0, place) + put + text.slice(place + dropped);
        const { answers } = await exchange(text, { end: true });
        for (const { status, headers, body } of answers.filter(({ status }) => status !== 100)) {
          assert.ok((status >= 400 && status < 500) || status === 505, `${status} ${body}`);
          assert.match(headers['x-request-id'], /^[\w.-]{1,64}$/);
        }
      }),
      { numRuns: 400 },
    );
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
    const { answers } = await exchange(`${head}Content-Length: 1000\r\n\r\n${refusedBody}`, { end: true });
    for (const { status } of answers) assert.equal(status, 400);
  });

  it('a body aborted half way costs nothing', async () => {
    for (const path of ['/backend/login', '/backend/core-line/chart', '/backend/core-line/backtest']) {
      const request = headAt(path);
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
      `${head}Content-Length: ${refusedBody.length}\r\n\r\n${refusedBody}${'x'.repeat(50)}\r\n\r\n`,
    );
    assert.ok(closed);
    for (const { status } of answers) assert.equal(status, 400);
  });

  it('100 MB announced and sent are refused without being kept', async () => {
    const chunk = Buffer.alloc(1_000_000, 32);
    const length = 100 * chunk.length;
    const { answers, readBytes } = await rawExchange(
      service.url,
      [`${head}Content-Length: ${length}\r\n\r\n`, ...Array.from({ length: 20 }, () => chunk)],
      { answers: 1 },
    );
    assert.equal(answers[0].status, 413);
    assert.ok(readBytes < 2e6, `${readBytes} bytes are read`);
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

  /** How long connections live that send a letter every half second after their beginning, and what they are told. */
  async function drip(beginnings: string[]): Promise<{ ms: number; texts: string[] }> {
    const sockets = beginnings.map(() => openSocket(service.url));
    const texts = sockets.map(() => '');
    let open = sockets.length;
    const started = performance.now();
    sockets.forEach((socket, i) => {
      socket.on('data', (chunk) => (texts[i] += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => open--);
      socket.write(beginnings[i]);
    });
    const letters = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('a')), 500);
    try {
      await until('the end of slow connections', () => open === 0, 100_000);
    } finally {
      clearInterval(letters);
      for (const socket of sockets) socket.destroy();
    }
    return { ms: performance.now() - started, texts };
  }

  /** What tells, by path, that time was up, in the form of the API that it belongs to. */
  const late: Record<string, RegExp> = {
    '/backend/core-line/chart': /^\{"result":\{"type":"INVALID_INPUT_BODY"\}/,
    '/v3/ai/get_price': /^\{"error":\{"code":"invalid_body"/,
    '/v1/channel': /^\{"result":\{"type":"INVALID_INPUT_CONTENT"\}/,
    '/mcp': /^\{"jsonrpc":"2.0","error":\{"code":-32700/,
    '/token?x': /^\{"error":"invalid_request"/,
  };

  function assertLate(text: string, at: string): void {
    const { status, headers, body } = readAnswers(Buffer.from(text)).at(-1)!;
    assert.equal(status, 408);
    assert.match(headers['x-request-id'], /^[\w-]{36}$/);
    assert.match(body, late[at]);
  }

  it('slow headers end after about 5 s', async function () {
    this.timeout(60_000);
    const paths = Object.keys(late);
    const slow = paths.map((at) => `POST ${at} HTTP/1.1\r\nHost: x\r\nX-Slow: `);
    const { ms, texts } = await drip([...slow, ...slow.map((beginning) => whole + beginning)]);
    assert.ok(ms > 4_500, `${ms} ms`);
    texts.forEach((text, i) => assertLate(text, paths[i % paths.length]));
  });

  it('a slow body ends after about 10 s, and a question that takes longer to be answered does not', async function () {
    this.timeout(60_000);
    const btc = { market: 'csv', base: 'BTC', quote: 'USDT' } as const;
    await service.storage.candles.add(btc, randomCandles(24 * 100));
    const question = '{"asset":"BTC"}';
    const waiting = openSocket(service.url);
    let heard = '';
    waiting.on('data', (chunk) => (heard += chunk.toString())).on('close', () => (heard += 'the end'));
    waiting.write(
      `${headAt('/backend/core-line/backtest')}session-token: ${await service.signIn()}\r\n` +
        `Content-Length: ${question.length}\r\n\r\n${question}`,
    );
    const bodies = [path, '/v3/ai/get_price'];
    const { ms, texts } = await drip(
      bodies.map((at) => `${headAt(at)}Content-Length: 1000\r\n\r\n{"asset": "`),
    );
    assert.ok(ms > 9_500, `${ms} ms`);
    assert.equal(heard, '');
    waiting.destroy();
    texts.forEach((text, i) => assertLate(text, bodies[i]));
  });
});
