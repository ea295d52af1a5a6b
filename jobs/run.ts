import { readFileSync } from 'node:fs';
import { asset } from '../storage/process/asset.js';
import { nodeFault } from '../storage/process/node-fault.js';

const { engines } = JSON.parse(readFileSync(asset('package.json'), 'utf8')) as { engines: { node: string } };
const fault = nodeFault(process.versions.node, engines.node);
if (fault !== undefined) {
  console.error(`error: ${fault}`);
  process.exit(1);
}
// Only now: an old Node cannot load them.
const { AppError } = await import('../compute/model/errors.js');
const { failStart } = await import('../storage/process/fail-start.js');
const { runRole } = await import('../storage/process/role.js');

/** How each role starts, and all of them together. A process loads only the code of its own role. */
const roles = {
  // Named by its file: nothing of jobs imports the gateway, but there is one entry for all roles.
  gateway: () => import(asset('gateway/main.js').href),
  compute: async () => runRole('compute', (await import('./node/compute-role.js')).startCompute),
  market: async () => runRole('market', (await import('./market/market-role.js')).startMarket),
  signals: async () => runRole('signals', (await import('./signals/signals-role.js')).startSignals),
  start: () => import(asset('gateway/supervisor/start.js').href),
  admin: async () => {
    const { adminProgram } = await import('./admin/cli/admin-program.js');
    const { runAdminProgram } = await import('./admin/cli/run-admin-program.js');
    process.exit(await runAdminProgram(adminProgram(), given));
  },
};
const [, , role = '', ...given] = process.argv;

if (!Object.hasOwn(roles, role)) {
  const names = Object.keys(roles).join(', ');
  failStart(new AppError('invalid_command', `the role must be one of ${names}, found "${role}"`));
}
await roles[role as keyof typeof roles]();
