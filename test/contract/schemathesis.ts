import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApi } from '../../gateway/openapi/document.js';
import { routeTable } from '../../gateway/routes/table.js';
import { attemptPrefix } from '../../storage/users/attempt-counter.js';
import { loginKeys } from '../../storage/users/login-keys.js';
import { hashPassword } from '../../storage/users/password.js';
import { fetchedPython } from '../bench/fetched.js';
import { buryCoreLine } from '../support/jobs/bury-core-line.js';
import { closeOnSignals } from '../support/process/close-on-signals.js';
import { openTestMarket } from '../support/candles/market.js';
import { projectRoot } from '../support/harness/paths.js';
import { closeTestServers } from '../support/servers/servers.js';
import { ExchangeProcess } from '../support/fake-exchange/exchange-process.js';
import { testSecret } from '../support/gateway/signed.js';
import { RoleChild } from '../support/process/role-child.js';

/**
 * Asks a gateway over real servers thousands of questions made from the document of /openapi.json with links, right and wrong ones, one alone and one
 * that follows from another, and holds every answer against the document. What it takes is fetched into `.data/bench`;
 * arguments go to Schemathesis.
 */
const packages = ['schemathesis==4.32.5'];

const folder = fetchedPython('schemathesis', packages);
const exchange = await ExchangeProcess.start();
const env = { EXCHANGES: `BINANCE=binance@${exchange.url}`, SECRETS_KEY: 'ab'.repeat(32) };
const { service, token } = await openTestMarket({ env: { ...env, AI_API_SECRETS: testSecret } });
/** Asks the exchange for rules and accounts, and runs schedules. */
const market = await RoleChild.start('market', {
  ...env,
  ...{ REDIS_URL: service.redisUrl, MONGODB_URL: service.mongodbUrl },
});
await fillAnswers();
/** Whose sessions are ended again and again. */
const other = { email: 'other@example.com', password: 'a password' };
await service.storage.users.add({
  email: other.email,
  plan: 'free',
  passwordHash: await hashPassword(other.password),
});
// The document that is served has no links, from which it learns what follows from an answer.
const described = join(folder, 'openapi.json');
writeFileSync(described, JSON.stringify(openApi({ PUBLIC_URL: '' }, { links: true })));
const args = [
  ...['run', described, '--url', service.url],
  ...['--checks', 'all', '--max-examples', '500', '--seed', '1'],
  // Browsers are sent to where a question says.
  ...['--exclude-tag', 'OAuth'],
  ...['--generation-database', 'none', '--suppress-health-check', 'all'],
  // The hooks prove who asks.
  ...['--generation-with-security-parameters', 'false'],
  ...process.argv.slice(2),
];
const config = join(projectRoot, 'test/contract/schemathesis.toml');
const run = spawn('python3', ['-m', 'schemathesis.cli', '--config-file', config, ...args], {
  cwd: folder,
  env: {
    ...process.env,
    PYTHONPATH: folder,
    SCHEMATHESIS_HOOKS: join(projectRoot, 'test/contract/schemathesis_hooks.py'),
    SIGNING_SECRET: testSecret,
    SESSION_TOKEN: token,
    SERVICE_URL: service.url,
    OTHER_EMAIL: other.email,
    OTHER_PASSWORD: other.password,
    OPERATOR_TOKEN: await service.signIn({ operator: true }),
    OPERATOR_PATHS: pathsOf('operator'),
  },
  stdio: 'inherit',
});
// An account at which wrong passwords are tried gets slow: two seconds for each of hundreds of questions.
const tried = attemptPrefix + loginKeys.account(other.email);
const forgetting = setInterval(() => void service.deps.redis.del(tried).catch(() => undefined), 500);
const close = closeOnSignals(async () => {
  clearInterval(forgetting);
  run.kill('SIGTERM');
  await market.stop();
  await service.close();
  await exchange.close();
  await closeTestServers();
});
const [code] = (await once(run, 'close')) as [number];
await close();
// Whatever is left open must not keep the result waiting.
process.exit(code);

/** Something to be held and something that has failed, so that answers have more than empty lists. */
async function fillAnswers(): Promise<void> {
  const holdings = ['BTC', 'ETH'].map((asset) => ({ asset, quantity: '0.5' }));
  await service.post('/backend/exchanges', { exchange: 'PAPER', holdings }, { 'session-token': token });
  for (let n = 0; n < 200; n++) await buryCoreLine(service, { id: `letter-${n}` });
}

/** The paths of the operations of a scope, as one pattern. */
function pathsOf(scope: 'operator'): string {
  const paths = routeTable.filter(({ operation }) => operation.scope === scope).map(({ path }) => path);
  return `^(${[...new Set(paths)].join('|')})$`;
}
