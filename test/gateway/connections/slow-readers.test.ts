import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { acceptedSockets } from '../../support/gateway/accepted-sockets.js';
import { openSocket, rawExchange } from '../../support/gateway/raw-http.js';
import { headAt } from '../../support/gateway/raw-requests.js';
import { logLines } from '../../support/process/log-lines.js';
import { until } from '../../support/process/until.js';

const body = '{"asset":"BTC","interval":"1h","limit":1000}';
const chart = `${headAt('/backend/core-line/chart')}Content-Length: ${body.length}\r\n\r\n${body}`;

describe('a client that does not read its answers', () => {
  const { log, lines } = logLines();
  const accepted = acceptedSockets();
  let service: TestService;
  let chartBytes: number;

  /**
   * Asks until the gateway holds an answer that the connection does not take, however much the kernel keeps for a client; for no more
   * charts at once than may wait. Answers how many were asked for.
   */
  const askUntilFull = async (socket: Socket) => {
    await until('the connection', () => accepted.socketOf(socket) !== undefined);
    const server = accepted.socketOf(socket)!;
    const taken = () => server.bytesWritten - server.writableLength;
    for (let asked = 80; ; asked += 80) {
      socket.write(chart.repeat(80));
      while (server.bytesWritten < (asked - 0.5) * chartBytes) {
        const before = taken();
        await pause(150);
        if (server.destroyed || (server.writableLength > 0 && taken() === before)) return asked;
      }
    }
  };

  before(async () => {
    const env = { RESPONSE_TIMEOUT_MS: '2000' };
    ({ service } = await openTestMarket({ env, log }));
    // The first chart computes what the others show.
    const { answers } = await rawExchange(service.url, [chart], { answers: 1 });
    assert.equal(answers[0].status, 200);
    chartBytes = answers[0].body.length;
  });
  after(() => {
    accepted.stop();
    return service.close();
  });

  it('loses its connection after the time for it, and is logged as gone', async () => {
    const sockets = Array.from({ length: 5 }, () => openSocket(service.url));
    let closed = 0;
    const beats = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('\r\n')), 50);
    try {
      for (const socket of sockets) {
        // A paused socket learns only by writing that the connection ended.
        socket.on('error', () => undefined).on('close', () => closed++);
        socket.pause();
      }
      await Promise.all(sockets.map(askUntilFull));
      await until('the end of all', () => closed === sockets.length);
    } finally {
      clearInterval(beats);
      for (const socket of sockets) socket.destroy();
    }
    const gone = () => lines.filter(({ msg }) => msg === 'client gone');
    await until('the lines', () => gone().length === sockets.length);
    assert.deepEqual(
      gone().map(({ status, path }) => [status, path]),
      sockets.map(() => [499, '/backend/core-line/chart']),
    );
  });

  it('is no fault of the service when it resets the connection', async () => {
    lines.length = 0;
    const socket = openSocket(service.url);
    socket.pause();
    await askUntilFull(socket);
    assert.equal(accepted.socketOf(socket)!.destroyed, false);
    socket.resetAndDestroy();
    await until('the line', () => lines.some(({ msg }) => msg === 'client gone'));
    assert.deepEqual(
      lines.filter(({ level }) => Number(level) > 30),
      [],
    );
  });

  it('keeps it as long as it reads on, however slowly, also over a pause of the gateway', async () => {
    const socket = openSocket(service.url);
    let [bytes, isClosed] = [0, false];
    socket.on('close', () => (isClosed = true)).pause();
    const asked = await askUntilFull(socket);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
    });
    let isReading = true;
    const pieces = setInterval(() => isReading && socket.resume(), 10);
    try {
      const started = performance.now();
      await until('the first bytes', () => bytes > 0);
      isReading = false;
      await pause(400);
      for (const end = performance.now() + 2_200; performance.now() < end;);
      isReading = true;
      // Much longer than the time in which nothing may be read.
      await until('some time', () => isClosed || performance.now() - started > 5_000);
      assert.equal(isClosed, false);
      clearInterval(pieces);
      socket.removeAllListeners('data');
      socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
      await until('all answers', () => bytes >= asked * chartBytes);
    } finally {
      clearInterval(pieces);
      socket.destroy();
    }
  });

  it('is not taken for one that waits long for its answer', async () => {
    const slow = await openTestMarket({
      computeNodes: 0,
      env: { RESPONSE_TIMEOUT_MS: '300', BACKTEST_TIMEOUT_MS: '2000' },
    });
    try {
      const headers = { 'session-token': slow.token };
      const answer = await slow.service.post('/backend/core-line/backtest', { asset: 'BTC' }, headers);
      assert.equal(answer.status, 504);
    } finally {
      await slow.service.close();
    }
  });
});
