import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Given to a process with --import: at its end it tells which modules of packages it has loaded by their paths. */

const { cache } = createRequire(import.meta.url);

if (isMainThread) {
  process.on('exit', () => {
    const paths = Object.keys(cache).filter((path) => path.includes('/node_modules/'));
    writeSync(2, `\nloaded ${JSON.stringify(paths)}\n`);
  });
}
