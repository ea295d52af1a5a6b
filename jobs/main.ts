import { AppError } from '../compute/model/errors.js';
import { failStart } from '../storage/process/fail-start.js';
import { runRole } from '../storage/process/role.js';

/** How each role starts; a process loads its own alone. */
const roles = {
  compute: async () => (await import('./node/compute-role.js')).startCompute,
  market: async () => (await import('./market/market-role.js')).startMarket,
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
