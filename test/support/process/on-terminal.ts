import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program on a terminal of its own and passes on what it prints there; SIGINT is Ctrl-C on that terminal. */
const python = `
import os, pty, signal, sys
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGINT, lambda *_: os.write(fd, b'\\x03'))
signal.signal(signal.SIGTERM, lambda number, _: os.kill(pid, number))
while True:
    try: text = os.read(fd, 65536)
    except OSError: break
    if not text: break
    os.write(1, text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** A program on a pseudo-terminal, with what it has printed to both of its outputs. */
export class TerminalProcess {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  output = '';
  #listeners: (() => void)[] = [];
  #hasEnded = false;

  constructor(command: string, args: string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn('python3', ['-c', python, command, ...args], {
      cwd,
      env: { PATH, HOME, TERM: 'xterm', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const wake = () => this.#listeners.splice(0).forEach((listener) => listener());
    this.child.stdout?.on('data', (text: Buffer) => {
      this.output += text.toString();
      wake();
    });
    this.exit = once(this.child, 'close').then(([code]: (number | null)[]) => {
      this.#hasEnded = true;
      wake();
      return code;
    });
  }

  /** Resolves with the match once the output has it; throws when the program ends before. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      if (this.#hasEnded) throw new Error(`ended before it printed ${pattern}:\n${this.output}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** Presses Ctrl-C unless the program has ended, and waits for its end. */
  async interrupt(): Promise<number | null> {
    if (this.child.exitCode === null) this.child.kill('SIGINT');
    return this.exit;
  }
}
