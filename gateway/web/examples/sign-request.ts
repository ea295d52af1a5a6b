import { createHmac } from 'node:crypto';

/**
 * Sends one signed request and prints the answer. Needs only Node 20:
 *
 *   node sign-request.js http://127.0.0.1:3000 SECRET GET '/v3/ai/get_price?base_asset=BTC'
 *   node sign-request.js http://127.0.0.1:3000 SECRET POST /v3/ai/assess_risk '{"coin":"BTC"}'
 *   node sign-request.js http://127.0.0.1:3000 KEY:SECRET GET /v1/signal
 */
const [baseUrl, credentials, method, target, body = ''] = process.argv.slice(2);
const [secret, key] = credentials.split(':').reverse();

const timestamp = String(Math.floor(Date.now() / 1000));
// Path with query and body are signed byte for byte as sent.
const signature = createHmac('sha256', secret)
  .update(`${timestamp}\n${method}\n${target}\n${body}`)
  .digest('hex');

const answer = await fetch(baseUrl + target, {
  method,
  headers: {
    'x-timestamp': timestamp,
    'x-signature': signature,
    ...(key && { 'svc-api-key': key }),
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
  },
  ...(body === '' ? {} : { body }),
});
console.log(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
