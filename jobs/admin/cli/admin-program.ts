import type { Command } from 'commander';
import { nouns } from '../index.js';
import { newCommand } from './define-command.js';

const summary = `Looks after users, partners, candles and jobs of Tidemark.
Commands use the servers of the running service; without one they start their own and stop them afterwards.
Pages of the running service: /sign-in for accounts, /docs/connect for AI clients, which connect to /mcp, /docs and /app/operator.`;

const examples = [
  'npm run admin -- user --help',
  'npm run admin -- user add --help',
  'npm run admin -- user list --json',
];

/** `npm run admin` with every noun. Nothing is opened before a command runs. */
export function adminProgram(): Command {
  const program = newCommand('npm run admin --', summary, examples)
    .usage('<noun> <command> [options]')
    .configureHelp({ subcommandTerm: (noun) => noun.name(), subcommandDescription: describeNoun });
  for (const noun of nouns) program.addCommand(noun);
  return program;
}

/** The summary of a noun with the names of its commands. */
function describeNoun(noun: Command): string {
  const names = noun.commands.map((command) => command.name());
  return names.length === 0 ? noun.description().split('.\n')[0] : `${noun.summary()}: ${names.join(', ')}`;
}
