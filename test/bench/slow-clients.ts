import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../../storage/index.js';
import { readSettings } from '../../storage/process/read-settings.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { headAt } from '../support/gateway/raw-requests.js';
import { gatewayModule, jobsModule, withBenchService } from './bench-service.js';
import { ms, percentile, printTable } from './measure.js';
import { chartQuestion as body, readCharts, type Reads } from './read-charts.js';

const slowClients = 800;
const goodClients = 4;
const head = headAt('/backend/core-line/chart');

/** An address of this machine that is a network of its own to the gateway. */
const otherAddress = '127.0.0.2';

interface Behaviour {
  /** What a slow client begins with, and what it goes on with every second. */
  first: string;
  then: string;
  /** The address it connects from; by default that of the good clients. */
  from?: string;
}

const nothingRead = { first: `${head}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(20), then: '' };

const kinds: Record<string, Behaviour> = {
  'slow headers': { first: `${head}X-Slow: `, then: 'a' },
  'slow body': { first: `${head}Content-Length: 10000\r\n\r\n{"asset": "`, then: 'a' },
  'slow reading': nothingRead,
  'slow reading, in another network': { ...nothingRead, from: otherAddress },
};

const runs = 3;

/**
 * How light reads of good clients fare while 800 connections send or read a byte now and then: the median of three runs.
 */
export async function benchSlowClients(seconds = 10): Promise<void> {
  await withBenchService(async ({ mongodbUrl, start }) => {
    const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
    await storage.migrate();
    await storage.candles.add({ market: 'csv', base: 'AAA', quote: 'USDT' }, randomCandles(24 * 365));
    await storage.close();
    // With the bound on requests in hand that is in force by default, on which this rests.
    const settings = readSettings({}, '/');
    const [gateway] = await Promise.all([
      start('gateway', gatewayModule, [], { MAX_REQUESTS: String(settings.MAX_REQUESTS) }),
      start('compute', jobsModule, ['compute']),
    ]);
    const { url } = gateway.facts;
    await readCharts(url, 3, goodClients);
    const measured: Record<string, Figures[]> = {};
    const keep = (title: string, figures: Figures) => (measured[title] ??= []).push(figures);
    for (let run = 0; run < runs; run++) {
      const alone = await readCharts(url, seconds, goodClients);
      keep('alone', figuresOf(alone, alone, 0));
      for (const [kind, behaviour] of Object.entries(kinds)) {
        const crowd = new Crowd(url, behaviour);
        await pause(500);
        const beside = await readCharts(url, seconds, goodClients);
        keep(`beside ${slowClients} with ${kind}`, figuresOf(beside, alone, crowd.closed));
        crowd.leave();
        await pause(1_000);
      }
    }
    const head = ['', 'p50', 'p99', 'failed', 'p99 against alone', 'slow ones closed'];
    const rows = Object.entries(measured).map(([title, figures]) => rowOf(title, figures));
    const title = `charts of ${goodClients} good clients for ${seconds} s, median of ${runs} runs`;
    printTable(title, [head, ...rows]);
  });
}

/** Connections that hardly move. One that the server closes is not opened again. */
class Crowd {
  readonly #sockets: Socket[];
  readonly #dripping: NodeJS.Timeout;
  closed = 0;

  constructor(url: string, { first, then, from }: Behaviour) {
    const { hostname, port } = new URL(url);
    this.#sockets = Array.from({ length: slowClients }, () => {
      const local = from === undefined ? {} : { localAddress: from };
      const socket = connect({ port: Number(port), host: hostname, ...local });
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

/** What one run found. */
interface Figures {
  p50: number;
  p99: number;
  failed: number;
  ratio: number;
  closed: number;
}

function figuresOf({ durations, failed }: Reads, alone: Reads, closed: number): Figures {
  const p99 = percentile(durations, 0.99);
  const ratio = p99 / percentile(alone.durations, 0.99);
  return { p50: percentile(durations, 0.5), p99, failed, ratio, closed };
}

function rowOf(title: string, figures: readonly Figures[]): string[] {
  const median = (name: keyof Figures) =>
    percentile(
      figures.map((each) => each[name]),
      0.5,
    );
  return [
    title,
    ms(median('p50')),
    ms(median('p99')),
    String(median('failed')),
    `${median('ratio').toFixed(2)} x`,
    String(median('closed')),
  ];
}
