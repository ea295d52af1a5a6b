import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fetchWhole, type ExchangeAnswer } from '../../../storage/exchanges/fetch-whole.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a request to an exchange', () => {
  const text = JSON.stringify({ symbols: 'BTCUSDT '.repeat(1_000) });
  const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    '/silent': () => undefined,
    '/stops': (response) => response.writeHead(200, { 'Content-Length': '100' }).write('{'),
    '/gzip': (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(text)),
    '/br': (response) => response.writeHead(200, { 'Content-Encoding': 'br' }).end(brotliCompressSync(text)),
    '/cut': (response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(text).subarray(0, 50)),
    '/unknown': (response) => response.writeHead(200, { 'Content-Encoding': 'zstd' }).end(text),
    '/moved': (response) => response.writeHead(302, { Location: '/gzip' }).end(),
    '/broken': (response) => response.socket!.destroy(),
    '/refused': (response) =>
      response.writeHead(418, { 'Retry-After': '7', 'Set-Cookie': ['a=1', 'b=2'] }).end('{}'),
  };
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answers[request.url!](response);
  });
  const told: ExchangeAnswer[] = [];
  const open = (timeoutMs: number, signal = new AbortController().signal) => {
    const send = fetchWhole({ timeoutMs, signal, afterAnswer: async (answer) => void told.push(answer) });
    return (path: string, init: Parameters<typeof send>[1] = {}) =>
      send(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
  };

  before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const path of ['/silent', '/stops'])
    it(`ends in time, whatever the garbage collector takes meanwhile: ${path}`, async () => {
      const collecting = setInterval(collectGarbage, 50);
      try {
        await assert.rejects(open(500)(path), { name: 'TimeoutError' });
      } finally {
        clearInterval(collecting);
      }
    });

  for (const path of ['/gzip', '/br'])
    it(`is answered packed, and read unpacked: ${path}`, async () => {
      assert.equal(await (await open(5_000)(path)).text(), text);
    });

  // What `fetch` throws where there was no answer, by which ccxt knows.
  for (const path of ['/cut', '/unknown', '/moved', '/broken'])
    it(`has no answer if it is ${path.slice(1)}`, async () => {
      await assert.rejects(open(5_000)(path), { name: 'TypeError', message: 'fetch failed' });
    });

  it('tells status and headers of its answer, and sends what it was given', async () => {
    const init = { method: 'POST', headers: { 'X-MBX-APIKEY': 'key' }, body: 'side=BUY' };
    const answer = await open(5_000)('/refused', init);
    assert.deepEqual([answer.status, answer.statusText], [418, "I'm a Teapot"]);
    assert.deepEqual(
      [answer.headers.get('retry-after'), answer.headers.getSetCookie()],
      ['7', ['a=1', 'b=2']],
    );
    assert.equal(told.at(-1)!.retryAfterMs, 7_000);
    const { method, headers } = asked.at(-1)!;
    assert.deepEqual([method, headers['x-mbx-apikey'], headers['content-length']], ['POST', 'key', '8']);
  });

  it('ends with what ended it, and is not sent where it cannot be', async () => {
    const ending = new AbortController();
    const sending = open(5_000, ending.signal)('/silent');
    ending.abort(new Error('the process ends'));
    await assert.rejects(sending, { message: 'the process ends' });
    const sent = asked.length;
    await assert.rejects(open(5_000)('/gzip', { headers: { 'X-MBX-APIKEY': 'a\nb' } }), {
      code: 'exchange_refused',
    });
    assert.equal(asked.length, sent);
  });
});
