import { setTimeout as pause } from 'node:timers/promises';

/**
 * Sends a signal that buys at market, adds a trailing stop, and prints what becomes of it until it is over. Needs only Node 20:
 *
 *   node send-signal.js http://127.0.0.1:3000 KEY SECRET [SECONDS]
 */
const [baseUrl, key, secret, seconds = '300'] = process.argv.slice(2);

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { 'svc-api-key': key, 'svc-api-secret': secret, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { result, payload } = (await answer.json()) as {
    result: { type: string };
    payload: T & { message?: string };
  };
  if (!answer.ok) throw new Error(`${result.type}: ${payload.message}`);
  return payload;
}

const terms = { coin: 'BTC', trade_market: 'USDT', exchange: 'BINANCE', invest: 5, entry_mode: 'market' };
// A check stores nothing, and tells the present price.
const { outlook } = await ask<{ outlook: { market_price: string } }>('POST', '/v2/signal/validate', {
  ...terms,
  entry_price_max: '900000',
  exit_price_1: '950000',
  confirm_price: true,
});
const scaled = (factor: number) => (Number(outlook.market_price) * factor).toFixed(2);

const { parent_signal_id } = await ask<{ parent_signal_id: string }>('POST', '/v2/signal', {
  ...terms,
  entry_price_max: scaled(1.001),
  exit_price_1: scaled(1.0015),
  exit_price_2: scaled(1.05),
  stop_loss: scaled(0.98),
});
console.log(`signal ${parent_signal_id}`);
await ask('POST', `/v1/signal/${parent_signal_id}/call/trailingstop`, {
  parent_signal_id,
  trailing_stop_price: scaled(0.9995),
  trailing_stop_limit_price: scaled(0.98),
});

const unfinished = ['queued', 'entry_pending', 'open', 'closing'];
const untilMs = Date.now() + Number(seconds) * 1_000;
for (let isOver = false; !isOver && Date.now() < untilMs;) {
  const { executions } = await ask<{ executions: Record<string, number> }>(
    'GET',
    `/v1/signal/${parent_signal_id}`,
  );
  console.log(new Date().toISOString(), JSON.stringify(executions));
  const states = Object.keys(executions).filter((state) => executions[state] > 0);
  isOver = states.length > 0 && !states.some((state) => unfinished.includes(state));
  await pause(2_000);
}
