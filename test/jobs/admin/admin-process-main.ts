/** Runs admin commands one after the other, as the parent process asks for them, and answers what each printed. */
import { Readable } from 'node:stream';
import { adminProgram } from '../../../jobs/admin/cli/admin-program.js';
import { runAdminProgram } from '../../../jobs/admin/cli/run-admin-program.js';
import type { AdminCall, AdminResult } from './run-admin.js';

process.on('message', (call: AdminCall) => void run(call).then((result) => process.send!(result)));

async function run({ args, folder, env, input = '' }: AdminCall): Promise<AdminResult> {
  process.chdir(folder);
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  process.exitCode = undefined;
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += text.toString();
      return true;
    };
  return { code: await runAdminProgram(adminProgram(), args), ...printed };
}
