import { AppError } from '../compute/model/errors.js';
import { bundleOf } from '../storage/process/asset.js';
import { failStart } from '../storage/process/fail-start.js';
import { runRole } from '../storage/process/role.js';

/** How each role starts, and all of them together. A process loads only the code of its own role. */
const roles = {
  // Named by its file: nothing of jobs imports the gateway, but there is one entry for all roles.
  gateway: () => import(bundleOf('gateway/main').href),
  compute: async () => runRole('compute', (await import('./node/compute-role.js')).startCompute),
  market: async () => runRole('market', (await import('./market/market-role.js')).startMarket),
  signals: async () => runRole('signals', (await import('./signals/signals-role.js')).startSignals),
  start: () => import(bundleOf('gateway/supervisor/start').href),
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
