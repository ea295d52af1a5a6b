import { AppError } from '../compute/model/errors.js';
import { failStart } from '../storage/process/fail-start.js';
import { runRole } from '../storage/process/role.js';
import { startCompute } from './node/compute-role.js';
import { startMarket } from './market/market-role.js';

const roles = { compute: startCompute, market: startMarket };
const [, , role] = process.argv;

if (!Object.hasOwn(roles, role ?? '')) {
  failStart(
    new AppError(
      'invalid_command',
      `the role must be one of ${Object.keys(roles).join(', ')}, found "${role}"`,
    ),
  );
}
await runRole(role, roles[role as keyof typeof roles]);
