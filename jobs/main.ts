import { AppError } from '../compute/model/errors.js';
import { failStart } from '../storage/process/fail-start.js';
import { runRole } from '../storage/process/role.js';

/** How each role starts. A process loads only the code of its own role. */
const roles = {
  compute: async () => (await import('./node/compute-role.js')).startCompute,
  market: async () => (await import('./market/market-role.js')).startMarket,
  signals: async () => (await import('./signals/signals-role.js')).startSignals,
};
const [, , role] = process.argv;

if (!Object.hasOwn(roles, role ?? '')) {
  failStart(
    new AppError(
      'invalid_command',
      `the role must be one of ${Object.keys(roles).join(', ')}, found "${role}"`,
    ),
  );
}
await runRole(role, await roles[role as keyof typeof roles]());
