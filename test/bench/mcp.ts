import { Agent } from 'node:http';
import { openStorage } from '../../storage/index.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { gatewayModule, jobsModule, withBenchService, type BenchService } from './bench-service.js';
import { measure, ms, percentile, printTable } from './measure.js';
import { sendRequest } from './send-request.js';

const sessions = 200;
const rounds = 10;
const assets = ['BTC', ...Array.from({ length: 49 }, (_, n) => `A${n}`)];

/** The MCP connector over HTTP: readings by one client, 200 anonymous clients at once, and the list of tools. */
export async function benchMcp(): Promise<void> {
  await withBenchService(async (service) => {
    await prepare(service);
    const [gateway] = await Promise.all([
      service.start('gateway', gatewayModule),
      service.start('compute', jobsModule, ['compute']),
    ]);
    const { url } = gateway.facts;
    await benchReadings(url);
    await benchSessions(url);
    await benchList(url);
  });
}

async function prepare({ mongodbUrl }: BenchService): Promise<void> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  for (const [seed, base] of assets.entries())
    await storage.candles.add({ market: 'csv', base, quote: 'USDT' }, randomCandles(24 * 200, { seed }));
  await storage.close();
}

/** One client, one call after the other: a reading that others have asked for, one that is computed, and the same over REST. */
async function benchReadings(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const reading = (asset: string, interval: string) =>
    post(url, '/mcp', callBody('get_momentum_reading', { asset, interval }), agent);
  const rest = (asset: string) => post(url, '/backend/analysis/momentum', { asset, interval: '1h' }, agent);
  await reading('BTC', '1h');
  const known = await measure(500, 100, () => reading('BTC', '1h'));
  const anew = await measure(assets.length - 1, 0, (n) => reading(assets[n + 1], '4h'));
  const ofRest = await measure(500, 100, () => rest('BTC'));
  agent.destroy();
  const row = (name: string, taken: number[]) => [
    name,
    ...[0.5, 0.99].map((share) => ms(percentile(taken, share))),
  ];
  printTable('get_momentum_reading, one client', [
    ['', 'p50', 'p99'],
    row('tools/call, known already', known),
    row('tools/call, computed anew', anew),
    row('the same over REST, known already', ofRest),
  ]);
}

/** 200 clients at once, each on a connection of its own: initialize, then a reading each of 50 assets in turn. */
async function benchSessions(url: string): Promise<void> {
  const agents = Array.from({ length: sessions }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const durations: number[] = [];
  await Promise.all(agents.map((agent) => post(url, '/mcp', initializeBody, agent)));
  // The node reads the candles of each asset once, whichever client asks first.
  for (const asset of assets) await post(url, '/mcp', callBody('get_momentum_reading', { asset }), agents[0]);
  for (let round = -2; round < rounds; round++) {
    await Promise.all(
      agents.map(async (agent, n) => {
        const started = performance.now();
        const asset = assets[(n + Math.max(0, round)) % assets.length];
        await post(url, '/mcp', callBody('get_momentum_reading', { asset }), agent);
        if (round >= 0) durations.push(performance.now() - started);
      }),
    );
  }
  for (const agent of agents) agent.destroy();
  printTable(`get_momentum_reading, ${sessions} anonymous clients at once, ${rounds} times`, [
    ['p50', 'p99', 'longest'],
    [0.5, 0.99, 1].map((share) => ms(percentile(durations, share))),
  ]);
}

async function benchList(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const list = (query: string) =>
    post(url, `/mcp${query}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, agent);
  const rows = [['tools/list', 'bytes', 'p50', 'p99']];
  for (const query of ['', '?toolsets=core']) {
    const bytes = await list(query);
    const taken = await measure(200, 20, () => list(query));
    rows.push([query || 'all', String(bytes), ...[0.5, 0.99].map((share) => ms(percentile(taken, share)))]);
  }
  agent.destroy();
  printTable('the list of tools, with schemas of the answers', rows);
}

const callBody = (name: string, args: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args },
});

const initializeBody = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

const post = (url: string, path: string, body: object, agent: Agent): Promise<number> =>
  sendRequest(url + path, agent, { body });
