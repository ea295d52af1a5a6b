import type { Redis } from 'ioredis';
import type { Settings } from '../../storage/process/settings.js';
import type { Storage } from '../../storage/index.js';

/** What a command is given besides its options. */
export interface CommandContext {
  storage: Storage;
  settings: Settings;
  redis: Redis;
  redisUrl: string;
  /** Tells how far it is; not part of the result. */
  report: (line: string) => void;
  /** The first line of standard input. */
  readLine: () => Promise<string>;
}

export interface OptionSpec {
  /** What stands for the value in the usage line. */
  value: string;
  required: boolean;
}

/** What a command has to say: data for programs, lines for people. */
export interface CommandResult {
  data: unknown;
  lines: string[];
}

/** One command of `npm run admin`. */
export interface Command {
  /** Its words, as in `user add`. */
  name: string;
  summary: string;
  options: Readonly<Record<string, OptionSpec>>;
  run(options: Readonly<Record<string, string | undefined>>, context: CommandContext): Promise<CommandResult>;
}

/** How a command is called. */
export function usageOf({ name, options }: Command): string {
  const parts = Object.entries(options).map(([option, { value, required }]) =>
    required ? `--${option} ${value}` : `[--${option} ${value}]`,
  );
  return [name, ...parts, '[--json]'].join(' ');
}
