import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Waits for the end of its input, which comes with the end of whoever holds the other side, and then ends the process $1
 * if its command line still names the folder of $2: another process may have its id by then.
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

/** Those who use the servers hear of the end as well, and get this long to finish what they have in hand. */
const graceSeconds = 2;

/**
 * Sees to it that a server ends when this process does, in whatever way: after `kill -9` nobody else is left to end it. The
 * answer calls that off. A shell waits, which takes 1 MB.
 */
export function endWithHolder(pid: number, folder: string): () => void {
  // The folder as a word of its own would make the shell look like a server on it.
  const args = ['-c', script, 'tidemark-guard', String(pid), `in:${folder}`, String(graceSeconds)];
  // A process group of its own: what ends this process's group must not end the one who waits for it.
  const guard = spawn('sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without a shell the next start on the data folder ends what is left.
  guard.on('error', () => undefined);
  guard.unref();
  // There is none where there are no file descriptors left.
  const input = guard.stdin as Socket | undefined;
  input?.on('error', () => undefined);
  input?.unref();
  return () => guard.kill('SIGKILL');
}
