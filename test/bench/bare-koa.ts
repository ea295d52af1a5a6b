import { createServer } from 'node:http';
import Koa from 'koa';
import { drawable } from '../../gateway/operations/analysis/chart.js';
import { openStorage } from '../../storage/index.js';
import { listen } from '../../storage/servers/listen.js';
import type { RoleMessage } from '../../storage/process/role.js';

/**
 * The least that a light read can cost: Koa, the same MongoDB read and what it found as JSON, and nothing of what a
 * service needs besides.
 */
const storage = openStorage(process.env.MONGODB_URL!, { timeoutMs: 900 });
const app = new Koa();
app.use(async (ctx) => {
  if (ctx.method === 'GET') {
    const found = await storage.positions.find(ctx.get('user-id'));
    ctx.body = { positions: found!.positions };
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
  const { asset, interval } = JSON.parse(Buffer.concat(chunks).toString()) as {
    asset: string;
    interval: '1h';
  };
  const stored = await storage.coreLines.chart({ market: 'csv', base: asset, quote: 'USDT', interval });
  ctx.body = drawable(stored!.view.columns, 500);
});
const handle = app.callback();
const url = await listen(
  createServer((request, response) => void handle(request, response)),
  { host: '127.0.0.1', port: 0, setting: 'PORT' },
);
process.send!({ type: 'ready', facts: { url } } satisfies RoleMessage);
process.on('SIGTERM', () => process.exit(0));
