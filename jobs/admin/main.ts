import { adminProgram } from './cli/admin-program.js';
import { runProgram } from './cli/run-program.js';

await runProgram(adminProgram());
