import { Command, type CommanderError } from 'commander';
import { AppError } from '../../../compute/model/errors.js';

/** A command with help and examples. What is wrong with how it is called is thrown as `invalid_command`. */
export function newCommand(name: string, summary: string, examples: readonly string[]): Command {
  const command = new Command(name);
  return command
    .summary(summary)
    .description(summary)
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Show the help of a command')
    .configureHelp({ subcommandTerm: (each) => each.name() })
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
    .configureOutput({ writeErr: () => undefined })
    .exitOverride((error) => {
      // Commander exits with 0 after a help.
      throw error.exitCode === 0 ? error : invalidUsage(command, faultOf(command, error));
    });
}

/** An error about how a command was called, with the way to its help. */
export const invalidUsage = (command: Command, fault: string): AppError =>
  new AppError('invalid_command', `${fault}; see ${pathOf(command)} --help`);

function faultOf(command: Command, { code, message }: CommanderError): string {
  if (code === 'commander.help')
    return `a command is missing: one of ${command.commands.map((each) => each.name()).join(', ')}`;
  return message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/, ' (did you mean $1?)')
    .replace(/\.$/, '');
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
