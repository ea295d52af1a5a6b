import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { childEnvironment } from './child-environment.js';

/**
 * Waits until its standard input is closed, which happens when the process that started it ends. Then it ends process $1 if
 * its command line still contains the folder $2, because another process may have got its id by then.
 */
const script = `
folder=\${2#in:}
is_there() { kill -0 "$1" 2>&- && { [ ! -e /proc/self ] || grep -qaF -- "$folder" "/proc/$1/cmdline"; }; }
read -r _
sleep "$3"
is_there "$1" || exit 0
kill -TERM "$1"
for _ in 1 2 3 4 5 6 7 8; do sleep 1; is_there "$1" || exit 0; done
kill -KILL "$1"`;

/** Processes that use the servers notice the end too; they get this long to finish their work. */
const graceSeconds = 2;

/**
 * Ends a server when this process ends, even by `kill -9`, by a shell process (1 MB) that waits for it. Returns a function
 * that stops the shell.
 */
export function endWithHolder(pid: number, folder: string): () => void {
  // As an argument of its own, the folder would make `endOrphans` take the shell for a server.
  const args = ['-c', script, 'tidemark-guard', String(pid), `in:${folder}`, String(graceSeconds)];
  // In its own process group, because a signal to this process's group must not end the shell too.
  const guard = spawn('sh', args, {
    detached: true,
    env: childEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell, the next start on the data folder ends servers left behind.
  guard.on('error', () => undefined);
  guard.unref();
  // Undefined when no file descriptors are left.
  const input = guard.stdin as Socket | undefined;
  input?.on('error', () => undefined);
  input?.unref();
  return () => guard.kill('SIGKILL');
}
