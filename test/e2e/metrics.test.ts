import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenLocally } from '../support/servers/listen-locally.js';
import { Scrape } from '../support/servers/scrape.js';
import { freePort, runNpm, type CommandProcess } from '../support/process/service-process.js';

async function hold(port: number): Promise<Server> {
  const server = createServer();
  await listenLocally(server, port);
  return server;
}

const release = (server: Server) => new Promise((resolve) => server.close(resolve));

/** The first of so many free ports in a row. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const held = await Promise.allSettled(Array.from({ length: count }, (_, n) => hold(first + n)));
    const servers = held.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    await Promise.all(servers.map(release));
    if (servers.length === count) return first;
  }
}

describe('npm start with METRICS_PORT', function () {
  this.timeout(120_000);
  let folder: string;
  let service: CommandProcess | undefined;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'tidemark-metrics-'))));
  after(async () => {
    await service?.interrupt();
    await rm(folder, { recursive: true, force: true });
  });

  it('has the metrics of gateway, compute node, market and signals on ports that follow each other', async () => {
    const port = await freePorts(4);
    const env = {
      DATA_DIR: folder,
      PORT: '0',
      METRICS_PORT: String(port),
      MARKET: 'csv',
      LOG_LEVEL: 'error',
    };
    service = runNpm(['start', '--silent'], env);
    const [, printed] = await service.printed(/metrics at (.*)\n/);
    const urls = [0, 1, 2, 3].map((n) => `http://127.0.0.1:${port + n}/metrics`);
    assert.deepEqual(printed.split(', '), urls);
    const found = await Promise.all(urls.map(async (url) => new Scrape(await (await fetch(url)).text())));
    const own = ['tidemark_http_requests_in_flight', 'tidemark_pool_threads'];
    assert.deepEqual(
      found.map(({ types }) => own.filter((name) => types.has(name))),
      [[own[0]], [own[1]], [], []],
    );
    for (const each of found) assert.ok(each.sum('process_resident_memory_bytes') > 0);
    // The market has looked for imported candles by now; the others were not asked anything yet.
    assert.ok(found[2].sum('tidemark_round_trip_seconds_count', { server: 'mongodb' }) > 0);
  });
});
