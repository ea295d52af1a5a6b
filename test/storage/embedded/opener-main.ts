/** The program of `openerProcess`: opens servers, prints them, and closes them when its input ends. */
import { once } from 'node:events';
import type { AppError } from '../../../compute/model/errors.js';
import { openServers, type OpenServersOptions } from '../../../storage/embedded/open-servers.js';

const options = JSON.parse(process.argv[2]) as Omit<OpenServersOptions, 'report'>;
try {
  const servers = await openServers({ ...options, report: () => undefined });
  console.log(JSON.stringify({ ok: true, servers }));
  process.stdin.resume();
  await once(process.stdin, 'end');
  await servers.close();
} catch (error) {
  const { code, message } = error as AppError;
  console.log(JSON.stringify({ ok: false, code, message }));
}
