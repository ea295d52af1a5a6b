import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fetchWhole } from '../../../storage/exchanges/fetch-whole.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a request to an exchange', () => {
  // One path is never answered, the answer to the other stops after its first bytes.
  const server = createServer(({ url }, response) => {
    if (url === '/stops') response.writeHead(200, { 'Content-Length': '100' }).write('{');
  });

  before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const path of ['/silent', '/stops'])
    it(`ends in time, whatever the garbage collector takes meanwhile: ${path}`, async () => {
      const send = fetchWhole({
        timeoutMs: 500,
        signal: new AbortController().signal,
        afterAnswer: () => Promise.resolve(),
      });
      const { port } = server.address() as AddressInfo;
      const collecting = setInterval(collectGarbage, 50);
      try {
        await assert.rejects(send(`http://127.0.0.1:${port}${path}`, {}), { name: 'TimeoutError' });
      } finally {
        clearInterval(collecting);
      }
    });
});
