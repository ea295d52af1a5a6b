import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import { EventStream, ProgressEvents } from '../../../gateway/answers/event-stream.js';
import { askForEvents } from '../../support/gateway/event-answer.js';
import { openSocket } from '../../support/gateway/raw-http.js';
import { listenLocally } from '../../support/servers/listen-locally.js';
import { until } from '../../support/process/until.js';

describe('a stream of events', () => {
  let server: Server;
  let url: string;
  const responses: ServerResponse[] = [];
  let answer: (stream: EventStream) => void;
  before(async () => {
    server = createServer((_request, response) => {
      responses.push(response);
      answer(new EventStream(response, 300));
    });
    url = await listenLocally(server);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const askWithoutReading = async () => {
    const socket = openSocket(url);
    socket.on('error', () => undefined).pause();
    const count = responses.length;
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    await until('the request', () => responses.length > count);
    return socket;
  };

  const text = 'x'.repeat(1_000);
  /** Sends events until the connection takes no more, however much the kernel holds for it. */
  const fillConnection = async (stream: EventStream, response: ServerResponse) => {
    for (let isFull = false; !isFull; isFull = response.writableNeedDrain) {
      while (!response.writableNeedDrain) stream.event('progress', { text });
      await Promise.race([once(response, 'drain'), pause(200)]);
      // After a pause of the process the timer comes before what the kernel has taken meanwhile.
      await immediate();
    }
  };

  it('drops events for a client that does not read, and disconnects it after the last one', async () => {
    let stream!: EventStream;
    answer = (opened) => void (stream = opened);
    const socket = await askWithoutReading();
    const response = responses.at(-1)!;
    await fillConnection(stream, response);
    const held = () => response.writableLength + (response.socket?.writableLength ?? 0);
    const before = held();
    for (let n = 0; n < 5_000; n++) stream.event('progress', { text });
    assert.deepEqual([held(), before < 256 * 1024], [before, true]);
    const endedAt = performance.now();
    stream.end('result', { text });
    await until('the end of the connection', () => response.closed);
    assert.ok(performance.now() - endedAt >= 290);
    socket.destroy();
  });

  it('repeats progress, with comments between, until it is closed', async () => {
    let progress!: ProgressEvents;
    answer = (stream) => {
      progress = new ProgressEvents(stream);
      progress.report({ phase: 'fit', fraction: 0.25 });
    };
    const received = await askForEvents({ url, body: {} });
    await until('three events', () => received.events.length >= 3);
    assert.ok(received.comments.length >= 2);
    assert.ok(received.comments.every((each) => each === ': alive'));
    progress.close();
    for (const { name, data } of received.events)
      assert.deepEqual([name, data], ['progress', { phase: 'fit', fraction: 0.25 }]);
    received.leave();
  });

  it('sends nothing after the last event, while the client has not read that', async () => {
    let stream!: EventStream;
    answer = (opened) => void (stream = opened);
    const socket = await askWithoutReading();
    const response = responses.at(-1)!;
    let failure: Error | undefined;
    response.once('error', (error) => (failure = error));
    await fillConnection(stream, response);
    stream.end('result', { text });
    const held = response.writableLength;
    stream.event('progress', { phase: 'late', fraction: 0.5 });
    stream.comment('late');
    stream.end('result', { text });
    assert.deepEqual([response.writableLength, response.writableFinished], [held, false]);
    await until('the end of the connection', () => response.closed);
    assert.equal(failure, undefined);
    socket.destroy();
  });

  it('does nothing once the client is gone', async () => {
    let stream!: EventStream;
    answer = (opened) => {
      stream = opened;
      stream.open();
    };
    const received = await askForEvents({ url, body: {} });
    received.leave();
    await until('the end of the connection', () => responses.at(-1)!.closed);
    stream.open();
    stream.event('progress', {});
    stream.comment('x');
    stream.end('result', {});
  });
});
