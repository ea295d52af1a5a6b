import { adminProgram } from './cli/admin-program.js';
import { runAdminProgram } from './cli/run-admin-program.js';

await runAdminProgram(adminProgram());
