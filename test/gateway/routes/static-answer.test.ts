import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { get, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

describe('answers that stay the same', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
  });
  after(() => service.close());

  /** Reads the bytes as they are sent. */
  const ask = (path: string, headers: Record<string, string>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      get(service.url + path, { headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) }),
        );
      }).on('error', reject);
    });

  for (const path of ['/openapi.json', '/docs', '/docs/docs.css'])
    it(`are compressed once, and not sent to a client that has them: ${path}`, async () => {
      // What the build has prepared is unpacked for the first answer.
      const plain = await ask(path, {});
      let compressors = 0;
      const hook = createHook({ init: (_id, type) => void (type === 'ZLIB' && compressors++) }).enable();
      const packed = await Promise.all(
        Array.from({ length: 20 }, () => ask(path, { 'Accept-Encoding': 'gzip, br' })),
      );
      const { etag } = plain.headers;
      const known = await Promise.all(
        Array.from({ length: 20 }, () =>
          ask(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': String(etag) }),
        ),
      );
      hook.disable();
      assert.equal(compressors, plain.bytes.length < 1_024 ? 0 : 1);
      for (const { status, headers, bytes } of packed) {
        const isPacked = headers['content-encoding'] === 'gzip';
        assert.equal(isPacked, plain.bytes.length >= 1_024);
        assert.deepEqual(isPacked ? gunzipSync(bytes) : bytes, plain.bytes);
        assert.deepEqual(
          [status, headers.etag, headers['content-type']],
          [200, etag, plain.headers['content-type']],
        );
        if (isPacked) assert.match(String(headers.vary), /Accept-Encoding/);
      }
      for (const { status, headers, bytes } of known)
        assert.deepEqual([status, headers.etag, bytes.length], [304, etag, 0]);
    });
});
