import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { onParsed } from '../../../gateway/connections/on-parsed.js';
import { rawExchange } from '../../support/gateway/raw-http.js';
import { listenLocally } from '../../support/servers/listen-locally.js';

const parts = [
  'GET /a HTTP/1.1\r\nHo',
  'st: x\r\n\r\n',
  'GET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
];

describe('onParsed', () => {
  let server: Server;
  afterEach(() => server.close());

  /** What is noted while these parts come, each with the count of requests before it, and how many listen to the bytes. */
  async function noted(
    prepare: (socket: Socket) => void,
  ): Promise<{ packets: unknown[]; listeners: number }> {
    const packets: unknown[] = [];
    let [asked, listeners] = [0, 0];
    server = createServer((_request, response) => {
      asked++;
      response.end();
    });
    server.on('connection', (socket) => {
      prepare(socket);
      onParsed(socket, (size, packet) => packets.push([asked, size, packet().toString()]));
      listeners = socket.listenerCount('data');
    });
    await rawExchange(await listenLocally(server), parts, { apart: true });
    return { packets, listeners };
  }
  const expected = parts.map((part, n) => [n, part.length, part]);

  it('shows each packet after the request in it, and leaves the socket to the parser', async () => {
    assert.deepEqual(await noted(() => undefined), { packets: expected, listeners: 1 });
  });

  it('listens itself where the parser is another', async () => {
    let parser: { getCurrentBuffer?: unknown } = {};
    const found = await noted((socket) => {
      ({ parser } = socket as unknown as { parser: typeof parser });
      parser.getCurrentBuffer = undefined;
    });
    // Node uses it for another connection later.
    delete parser.getCurrentBuffer;
    assert.deepEqual(found, { packets: expected, listeners: 2 });
  });
});
