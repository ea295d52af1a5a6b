import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fetchedPython } from '../bench/fetched.js';
import { openTestMarket } from '../support/market.js';
import { projectRoot } from '../support/paths.js';
import { closeTestServers } from '../support/servers.js';
import { testSecret } from '../support/signed.js';

/**
 * Asks a gateway over real servers thousands of questions made from /openapi.json, right and wrong ones, and holds every
 * answer against the document. What it takes is fetched into `.data/bench`; arguments go to Schemathesis.
 */
const packages = ['schemathesis==4.32.5'];

const folder = fetchedPython('schemathesis', packages);
const { service, token } = await openTestMarket({ env: { AI_API_SECRETS: testSecret } });
const args = [
  ...['run', `${service.url}/openapi.json`, '--url', service.url],
  ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing', '--max-examples', '500', '--seed', '1'],
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
    OTHER_TOKEN: await service.signIn(),
  },
  stdio: 'inherit',
});
const [code] = (await once(run, 'close')) as [number];
await service.close();
await closeTestServers();
// Whatever is left open must not keep the result waiting.
process.exit(code);
