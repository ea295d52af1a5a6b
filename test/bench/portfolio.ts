import { Agent } from 'node:http';
import { coreLineBasis } from '../../jobs/definitions/core-line.js';
import { viewColumns, type CoreLineView } from '../../compute/model/core-line.js';
import { intervals } from '../../compute/model/interval.js';
import { openStorage, type Storage } from '../../storage/index.js';
import type { Position } from '../../storage/accounts/positions.js';
import { gatewayModule, withBenchService } from './bench-service.js';
import { measure, ms, percentile, printTable } from './measure.js';
import { sendRequest } from './send-request.js';

const count = 50;

/** The status of a portfolio of 50 positions with the states of their assets on three intervals: over REST, and as a tool. */
export async function benchPortfolio(): Promise<void> {
  await withBenchService(async ({ mongodbUrl, start }) => {
    const token = await prepare(mongodbUrl);
    const gateway = await start('gateway', gatewayModule);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { url } = gateway.facts;
    const call = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'get_portfolio_status', arguments: {} },
    };
    const rest = () => sendRequest(`${url}/backend/portfolio`, agent, { token });
    const tool = () => sendRequest(`${url}/mcp`, agent, { body: call, token });
    const rows = [['', 'bytes', 'p50', 'p99']];
    for (const [name, ask] of [
      ['GET /backend/portfolio', rest],
      ['get_portfolio_status', tool],
    ] as const) {
      const bytes = await ask();
      const taken = await measure(500, 100, ask);
      rows.push([name, String(bytes), ...[0.5, 0.99].map((share) => ms(percentile(taken, share)))]);
    }
    agent.destroy();
    printTable(`the status of ${count} positions, one client`, rows);
  });
}

/** A user with the positions, and the stored core lines of their assets. */
async function prepare(mongodbUrl: string): Promise<string> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  const user = await storage.users.add({ email: 'bench@example.com', plan: 'pro', passwordHash: 'none' });
  const token = await storage.sessions.open(user.id, 'web');
  const positions = Array.from({ length: count }, (_, n): Position => ({
    ...{ coin: `C${n}`, exchange: 'PAPER', quantity: 0.5, currentPrice: 100 + n, change24h: 1.25 },
    ...{ pnl: n - 20, costBasis: 'average', pricedAt: Date.now() },
  }));
  await storage.positions.write([{ userId: user.id, positions, accounts: [], revision: 0 }]);
  for (const { coin } of positions) await storeStates(storage, coin);
  await storage.close();
  return token;
}

async function storeStates(storage: Storage, base: string): Promise<void> {
  const columns = viewColumns.map((name) => [name, new Float64Array(1_000)] as const);
  const view: CoreLineView = {
    ...{ state: 'distribute', since: 0, candlesInState: 5, daysInState: 1, price: 100, asOf: Date.now() },
    ...{
      flipPrice: null,
      readingsDiffer: null,
      statistics: { method: 'none', durations: [], forwardReturns: [] },
      flips: [],
    },
    columns: Object.fromEntries(columns) as CoreLineView['columns'],
  };
  for (const interval of intervals)
    await storage.coreLines.put(
      { market: 'csv', base, quote: 'USDT', interval },
      { basis: coreLineBasis('bench'), view },
    );
}
