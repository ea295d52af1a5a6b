import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { openSocket, rawExchange, readAnswers, type RawAnswer } from '../../support/gateway/raw-http.js';
import { headAt } from '../../support/gateway/raw-requests.js';
import { until } from '../../support/process/until.js';
import { acceptedSockets } from '../../support/gateway/accepted-sockets.js';

const chart = '/backend/core-line/chart';
const gigabyte = 1024 ** 3;
/** What is sent at most, read or not. */
const mostSentBytes = 24 * 1024 ** 2;
/** A gateway drops 256 KiB of a body that it refuses, and then reads no more. */
const mostReadBytes = 1024 ** 2;

const lines = (method: string, path: string, ...more: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', ...more, ''].join('\r\n');

/** Requests that are answered before their body has arrived, and the status. */
const early: Record<string, [status: number, head: string]> = {
  'an unknown path': [404, lines('POST', '/nope')],
  'a wrong method': [405, lines('PUT', '/healthz')],
  'no session': [401, lines('POST', '/backend/core-line/backtest', 'Content-Type: application/json')],
  'a body that is too large': [413, headAt(chart)],
  'a signed request with a body that is too large': [413, lines('POST', '/v3/ai/get_price')],
  'a wrong media type': [415, lines('POST', chart, 'Content-Type: text/plain')],
  'an unknown encoding': [415, `${headAt(chart)}Content-Encoding: junk\r\n`],
  'two Host headers': [400, lines('POST', chart, 'Host: y')],
  'an unknown expectation': [417, lines('POST', chart, 'Expect: junk')],
  'a body that nothing reads': [200, lines('GET', '/healthz')],
};

const framings = {
  'a declared length': (size: number) => ({ header: `Content-Length: ${size}\r\n\r\n`, chunk: '' }),
  chunks: () => ({ header: 'Transfer-Encoding: chunked\r\n\r\n', chunk: '100000\r\n' }),
};

interface Upload {
  answers: RawAnswer[];
  /** How much the server has read. */
  readBytes: number;
}

/** Sends a body for as long as the server takes it. A `stubborn` client does not end its side when the server does. */
async function upload(url: string, head: string | Buffer, piece: Buffer, stubborn = false): Promise<Upload> {
  const accepted = acceptedSockets();
  const socket = openSocket(url, { allowHalfOpen: stubborn });
  let received = Buffer.alloc(0);
  let server: Socket | undefined;
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    server ??= accepted.socketOf(socket);
    received = Buffer.concat([received, bytes]);
  });
  const sendOn = () => {
    while (socket.writable && socket.bytesWritten < mostSentBytes && socket.write(piece));
  };
  socket.on('drain', sendOn);
  socket.write(head);
  sendOn();
  await until('the end of the connection', () => server?.destroyed ?? false, 20_000).finally(() => {
    accepted.stop();
    socket.destroy();
  });
  const { bytesRead: readBytes } = server!;
  return { answers: readAnswers(received), readBytes };
}

describe('a body that is refused', () => {
  let service: TestService;
  let poor: TestService;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    poor = await openTestService({ computeNodes: 0, env: { RATE_GUEST: '1' } });
  });
  after(async () => {
    await service.close();
    await poor.close();
  });

  for (const [framing, frame] of Object.entries(framings)) {
    const { header, chunk } = frame(gigabyte);
    const piece = Buffer.concat([
      Buffer.from(chunk),
      Buffer.alloc(0x100000, 32),
      Buffer.from(chunk && '\r\n'),
    ]);

    describe(`with ${framing}`, () => {
      const found = new Map<string, Upload>();
      const unended = 'a client that never ends its side';
      const cases: [what: string, status: number, of: () => TestService, head: string][] = [
        ...Object.entries(early).map(([what, [status, head]]): (typeof cases)[number] => [
          what,
          status,
          () => service,
          head,
        ]),
        ['no points', 429, () => poor, headAt(chart)],
        [unended, 404, () => service, lines('POST', '/nope')],
        [`${unended}, with a body that is too large`, 413, () => service, headAt(chart)],
      ];

      // All at once: each connection stays open for seconds after its answer.
      before(async () => {
        await poor.post(chart, {});
        await Promise.all(
          cases.map(async ([what, , of, head]) =>
            found.set(what, await upload(of().url, head + header, piece, what.startsWith(unended))),
          ),
        );
      });

      for (const [what, status] of cases)
        it(`is answered with ${status} and not read: ${what}`, () => {
          const { answers, readBytes } = found.get(what)!;
          assert.deepEqual(
            answers.map(({ status, headers }) => [status, headers.connection]),
            [[status, 'close']],
          );
          assert.ok(readBytes < mostReadBytes, `${readBytes} bytes`);
        });
    });
  }

  for (const expect of ['', 'Expect: 100-continue\r\n'])
    for (const path of [chart, '/v3/ai/get_price'])
      it(`by its declared length is answered before it comes at ${path}, ${expect || 'without Expect'}`, async () => {
        const head = `${headAt(path)}${expect}Content-Length: 65537\r\n\r\n`;
        const { answers, closed } = await rawExchange(service.url, [head]);
        assert.deepEqual(
          answers.map(({ status }) => status),
          [413],
        );
        assert.ok(closed);
      });

  it('is not asked for with 100', async () => {
    const asking = Object.entries(early).filter(([, [status]]) => status !== 417);
    for (const [what, [status, head]] of asking) {
      const size = status === 413 ? 65_537 : 10;
      const { answers, closed } = await rawExchange(service.url, [
        `${head}Expect: 100-continue\r\nContent-Length: ${size}\r\n\r\n`,
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [status],
        what,
      );
      assert.ok(closed, what);
    }
  });

  it('is not read without end when it is compressed and holds nothing', async () => {
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    const head = `${headAt(chart)}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const gzipHeader = chunk(Buffer.from('1f8b0800000000000003', 'hex'));
    const emptyBlocks = chunk(Buffer.from('000000ffff'.repeat(200_000), 'hex'));
    const found = await upload(service.url, Buffer.concat([Buffer.from(head), gzipHeader]), emptyBlocks);
    assert.deepEqual(
      found.answers.map(({ status }) => status),
      [413],
    );
    assert.ok(found.readBytes < mostReadBytes, `${found.readBytes} bytes`);
  });

  it('leaves an ordinary client with its answer, however much it sends', async () => {
    for (const [path, status] of [
      ['/nope', 404],
      ['/backend/core-line/backtest', 401],
      [chart, 413],
    ] as const) {
      const body = Buffer.alloc(8_000_000, 32);
      const headers = { 'Content-Type': 'application/json' };
      const viaFetch = await fetch(service.url + path, { method: 'POST', headers, body });
      assert.equal(viaFetch.status, status);
      assert.equal(typeof (await viaFetch.json()), 'object');
      const viaHttp = await new Promise<number | undefined>((resolve, reject) => {
        request(service.url + path, { method: 'POST', headers }, (answer) =>
          answer.resume().on('end', () => resolve(answer.statusCode)),
        )
          .on('error', reject)
          .end(body);
      });
      assert.equal(viaHttp, status);
    }
  });

  it('leaves a client with its answer that reads only when it has sent all', async () => {
    const socket = openSocket(service.url);
    let received = '';
    const failed = new Promise<never>((_resolve, reject) => socket.on('error', reject));
    const send = (bytes: string | Buffer) =>
      Promise.race([failed, new Promise<void>((resolve) => socket.write(bytes, () => resolve()))]);
    socket.pause();
    await send(`${headAt('/nope')}Content-Length: 200000\r\n\r\n`);
    for (let sent = 0; sent < 200_000; sent += 2_000) await send(Buffer.alloc(2_000, 32));
    socket.on('data', (bytes: Buffer) => (received += bytes.toString())).resume();
    await Promise.race([failed, new Promise((resolve) => socket.on('close', resolve))]);
    assert.match(received, /^HTTP\/1\.1 404 /);
  });
});

describe('a body that is wanted', () => {
  it('is asked for with 100 if the client waits for that, and is read', async () => {
    const service = await openTestService({ computeNodes: 0 });
    const body = '{"asset":"NOPE"}';
    const socket = openSocket(service.url);
    let received = '';
    try {
      socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
      socket.write(`${headAt(chart)}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`);
      await until('100', () => received === 'HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(body);
      await until('the answer', () => received.includes('"requestId"'));
      assert.match(received, /INVALID_INPUT_ASSET/);
      assert.match(received, /\r\nHTTP\/1\.1 400 Bad Request\r\n/);
      assert.match(received, /\r\nConnection: keep-alive\r\n/);
    } finally {
      socket.destroy();
      await service.close();
    }
  });
});
