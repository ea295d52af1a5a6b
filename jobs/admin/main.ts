import { adminProgram } from './cli/admin-program.js';
import { runAdminProgram } from './cli/run-admin-program.js';

process.exit(await runAdminProgram(adminProgram(), process.argv.slice(2)));
