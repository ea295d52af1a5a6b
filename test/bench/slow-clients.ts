import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../../storage/index.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { headAt } from '../support/gateway/raw-requests.js';
import { gatewayModule, jobsModule, withBenchService } from './bench-service.js';
import { ms, percentile, printTable } from './measure.js';

const slowClients = 800;
const goodClients = 4;
const body = '{"asset": "AAA", "interval": "1h"}';
const head = headAt('/backend/core-line/chart');

/** What each kind of slow client begins with, and what it goes on with every second. */
const kinds = {
  'slow headers': { first: `${head}X-Slow: `, then: 'a' },
  'slow body': { first: `${head}Content-Length: 10000\r\n\r\n{"asset": "`, then: 'a' },
  'slow reading': { first: `${head}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(20), then: '' },
};

/** How light reads of good clients fare while 800 connections send or read a byte now and then. */
export async function benchSlowClients(seconds = 10): Promise<void> {
  await withBenchService(async ({ mongodbUrl, start }) => {
    const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
    await storage.migrate();
    await storage.candles.add({ market: 'csv', base: 'AAA', quote: 'USDT' }, randomCandles(24 * 365));
    await storage.close();
    const [gateway] = await Promise.all([
      start('gateway', gatewayModule),
      start('compute', jobsModule, ['compute']),
    ]);
    const { url } = gateway.facts;
    await readFor(url, 3);
    const rows = [['', 'p50', 'p99', 'failed', 'p99 against alone', 'slow ones closed']];
    const alone = await readFor(url, seconds);
    rows.push(rowOf('alone', alone, alone, '-'));
    for (const [kind, behaviour] of Object.entries(kinds)) {
      const crowd = new Crowd(url, behaviour);
      await pause(500);
      const beside = await readFor(url, seconds);
      rows.push(rowOf(`beside ${slowClients} with ${kind}`, beside, alone, String(crowd.closed)));
      crowd.leave();
      await pause(1_000);
    }
    printTable(`charts of ${goodClients} good clients for ${seconds} s`, rows);
  });
}

/** Connections that hardly move. One that the server closes is not opened again. */
class Crowd {
  readonly #sockets: Socket[];
  readonly #dripping: NodeJS.Timeout;
  closed = 0;

  constructor(url: string, { first, then }: { first: string; then: string }) {
    const { hostname, port } = new URL(url);
    this.#sockets = Array.from({ length: slowClients }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).on('close', () => this.closed++);
      // Nothing is read: the answers stay with the server.
      if (then === '') socket.pause();
      socket.write(first);
      return socket;
    });
    this.#dripping = setInterval(() => {
      if (then !== '') for (const socket of this.#sockets) if (socket.writable) socket.write(then);
    }, 1_000);
  }

  leave(): void {
    clearInterval(this.#dripping);
    for (const socket of this.#sockets) socket.destroy();
  }
}

interface Reads {
  durations: number[];
  failed: number;
}

async function readFor(url: string, seconds: number): Promise<Reads> {
  const agent = new Agent({ keepAlive: true, maxSockets: goodClients });
  const until = performance.now() + seconds * 1_000;
  const reads: Reads = { durations: [], failed: 0 };
  const readOn = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      if (await read(url, agent)) reads.durations.push(performance.now() - started);
      else reads.failed++;
    }
  };
  await Promise.all(Array.from({ length: goodClients }, readOn));
  agent.destroy();
  return reads;
}

const read = (url: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const sent = request(`${url}/backend/core-line/chart`, { method: 'POST', agent, headers }, (answer) =>
      answer.resume().on('end', () => resolve(answer.statusCode === 200)),
    );
    sent.on('error', () => resolve(false)).end(body);
  });

function rowOf(title: string, reads: Reads, alone: Reads, closed: string): string[] {
  const p99 = percentile(reads.durations, 0.99);
  const ratio = p99 / percentile(alone.durations, 0.99);
  return [
    title,
    ms(percentile(reads.durations, 0.5)),
    ms(p99),
    String(reads.failed),
    `${ratio.toFixed(2)} x`,
    closed,
  ];
}
