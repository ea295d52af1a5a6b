import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { EventStream } from '../../../gateway/answers/event-stream.js';
import { ProgressEvents } from '../../../gateway/answers/progress-events.js';
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

  it('drops events for a client that does not read, and disconnects it after the last one', async () => {
    const long = 'x'.repeat(1_000);
    answer = (stream) => {
      const timer = setInterval(() => {
        for (let n = 0; n < 1_000; n++) stream.event('progress', { long });
      }, 1);
      const response = responses.at(-1)!;
      response.once('close', () => clearInterval(timer));
      response.once('full', () => {
        clearInterval(timer);
        stream.end('result', { long });
      });
    };
    const socket = await askWithoutReading();
    const response = responses.at(-1)!;
    await until('a full buffer', () => response.writableNeedDrain);
    const held = () => response.writableLength + (response.socket?.writableLength ?? 0);
    const before = held();
    for (let n = 0; n < 5_000; n++) new EventStream(response).event('progress', { long });
    assert.deepEqual([held(), before < 256 * 1024], [before, true]);
    const endedAt = performance.now();
    response.emit('full');
    await until('the end of the connection', () => response.closed);
    const ms = performance.now() - endedAt;
    assert.ok(ms >= 290 && ms < 2_000, `${ms} ms`);
    socket.destroy();
  });

  it('repeats progress within 2 s, with comments between, until it is closed', async () => {
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
    received.events.forEach(({ name, data, at }, n) => {
      assert.deepEqual([name, data], ['progress', { phase: 'fit', fraction: 0.25 }]);
      if (n > 0) assert.ok(at - received.events[n - 1].at < 2_000);
    });
    received.leave();
  });

  it('sends nothing after the last event, while the client has not read that', async () => {
    const long = 'x'.repeat(4_000_000);
    answer = (stream) => {
      stream.end('result', { long });
      stream.event('progress', { phase: 'late', fraction: 0.5 });
      stream.comment('late');
      stream.end('result', { long });
    };
    const socket = await askWithoutReading();
    const response = responses.at(-1)!;
    let failure: Error | undefined;
    response.once('error', (error) => (failure = error));
    assert.equal(response.writableFinished, false);
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
