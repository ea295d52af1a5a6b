import { parseArgs } from 'node:util';
import { AppError } from '../../compute/model/errors.js';
import { announcements } from '../../storage/announcements.js';
import type { Servers } from '../../storage/embedded/servers.js';
import { openServers } from '../../storage/embedded/open-servers.js';
import { openStorage } from '../../storage/index.js';
import { connected, failFast, openRedis } from '../../storage/servers/redis.js';
import { failStart } from '../../storage/process/role.js';
import { readSettings } from '../../storage/process/read-settings.js';
import { usageOf, type Command, type CommandResult } from './command.js';
import { readLine } from './read-line.js';

/** A command may wait for bulk writes; it has nobody to answer within a second. */
const storageTimeoutMs = 60_000;

interface Call {
  command: Command;
  options: Record<string, string | undefined>;
  json: boolean;
}

/** Runs the command that the process was called with, and ends the process. */
export async function runCommands(commands: readonly Command[]): Promise<never> {
  try {
    const [, , ...args] = process.argv;
    if (args.length === 0 || args.includes('--help')) {
      console.log(usage(commands));
    } else {
      const call = readCall(args, commands);
      const { data, lines } = await runCall(call);
      console.log(call.json ? JSON.stringify(data, null, 2) : lines.join('\n'));
    }
    process.exit(0);
  } catch (error) {
    failStart(error);
  }
}

function usage(commands: readonly Command[]): string {
  const lines = commands.map((command) => `  npm run admin -- ${usageOf(command)}\n      ${command.summary}`);
  return `commands:\n${lines.join('\n')}`;
}

function readCall(args: string[], commands: readonly Command[]): Call {
  const end = args.findIndex((arg) => arg.startsWith('--'));
  const words = args.slice(0, end < 0 ? 2 : Math.min(end, 2));
  const name = words.join(' ');
  const command = commands.find((each) => each.name === name);
  if (!command) throw new AppError('invalid_command', `there is no command "${name}"\n${usage(commands)}`);
  const strings = Object.keys(command.options).map((option) => [option, { type: 'string' as const }]);
  try {
    const { values } = parseArgs({
      args: args.slice(words.length),
      options: {
        ...(Object.fromEntries(strings) as Record<string, { type: 'string' }>),
        json: { type: 'boolean' },
      },
    });
    const { json, ...options } = values as Record<string, string> & { json?: boolean };
    const missing = Object.keys(command.options).filter(
      (each) => command.options[each].required && !options[each],
    );
    if (missing.length > 0) throw new Error(`--${missing.join(', --')} is missing`);
    return { command, options, json: json === true };
  } catch (error) {
    const message = `${(error as Error).message}\nusage: npm run admin -- ${usageOf(command)}`;
    throw new AppError('invalid_command', message, { cause: error });
  }
}

async function runCall({ command, options }: Call): Promise<CommandResult> {
  const settings = readSettings();
  // Progress goes to standard error, so that standard output holds the result alone.
  const report = (line: string) => console.error(line);
  const name = `admin ${command.name}`;
  const opened: { servers?: Servers } = {};
  for (const event of ['SIGINT', 'SIGTERM'] as const) {
    // Before the servers are open, what has been started of them ends with the process.
    process.once(event, () => void Promise.resolve(opened.servers?.close()).finally(() => process.exit(1)));
  }
  const servers = await openServers({ settings, holder: 'command', name, running: 'join', report });
  opened.servers = servers;
  const redis = openRedis(servers.redisUrl, failFast);
  const limits = { timeoutMs: storageTimeoutMs };
  const storage = openStorage(servers.mongodbUrl, limits, announcements(redis));
  try {
    await Promise.all([storage.migrate(), connected(redis)]);
    const { redisUrl } = servers;
    return await command.run(options, { storage, redis, redisUrl, settings, report, readLine });
  } finally {
    redis.disconnect();
    await storage.close();
    await servers.close();
  }
}
