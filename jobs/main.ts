import { AppError } from '../compute/model/errors.js';
import { failStart, runRole } from '../storage/process/role.js';
import { startCompute } from './node/compute-role.js';
import { startMarket } from './market/market-role.js';
import { startSignals } from './signals/signals-role.js';

const roles = { compute: startCompute, market: startMarket, signals: startSignals };
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
