import { createServer } from 'node:http';
import Koa from 'koa';
import { listen } from '../../storage/servers/listen.js';
import { Prices } from '../../storage/candles/prices.js';
import { connected, failFast, openRedis } from '../../storage/servers/redis.js';
import type { RoleMessage } from '../../storage/process/role.js';

/** The least that a price can cost: Koa and the same read of Redis, and nothing of what a service needs besides. */
const redis = openRedis(process.env.REDIS_URL!, failFast);
await connected(redis);
const prices = new Prices(redis);
const app = new Koa();
app.use(async (ctx) => {
  const base = String(ctx.query.base_asset);
  const { price, time } = (await prices.find({ market: 'demo', base, quote: 'USDT' }))!;
  ctx.body = { symbol: `${base}/USDT`, price: String(price), timestamp: new Date(time).toISOString() };
});
const handle = app.callback();
const url = await listen(
  createServer((request, response) => void handle(request, response)),
  { host: '127.0.0.1', port: 0, setting: 'PORT' },
);
process.send!({ type: 'ready', facts: { url } } satisfies RoleMessage);
process.on('SIGTERM', () => process.exit(0));
