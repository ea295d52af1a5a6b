import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// `npm run test:watch -- part/of/a/path`: compiles on every change, and runs the tests after it. The arguments are those of
// run.ts.

const runner = fileURLToPath(new URL('run.js', import.meta.url));
let tests: ChildProcess | undefined;

/** Runs the tests anew. A run that still goes on ends first. */
function runTests(): void {
  const start = () => {
    tests = spawn(process.execPath, [runner, ...process.argv.slice(2)], { stdio: 'inherit' });
    tests.once('exit', () => (tests = undefined));
  };
  if (tests) tests.removeAllListeners('exit').once('exit', start).kill();
  else start();
}

const compiler = spawn('npx', ['tsc', '-b', '--watch', '--preserveWatchOutput'], {
  stdio: ['inherit', 'pipe', 'inherit'],
});
compiler.stdout.setEncoding('utf8').on('data', (text: string) => {
  process.stdout.write(text);
  if (text.includes('Found 0 errors')) runTests();
});
