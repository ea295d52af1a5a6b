import { Option, Command, type CommanderError } from 'commander';
import type { CommandOption } from './command-option.js';
import { withServers, type CommandContext } from './with-servers.js';
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
const invalidUsage = (command: Command, fault: string): AppError =>
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

/** The result of a command: data for `--json`, lines for people. */
export interface CommandResult {
  data: unknown;
  lines: string[];
  /** Whether the exit code is 1 although the command did its work, as when `check` finds something unfit. */
  isFailure?: boolean;
}

type CommandOptions = Readonly<Record<string, CommandOption<unknown>>>;

/** The values of the options, by name. */
type OptionValues<Options extends CommandOptions> = {
  [Name in keyof Options]: Options[Name] extends CommandOption<infer T> ? T : never;
};

interface CommandDefinition<Options extends CommandOptions, Context> {
  name: string;
  /** What it does, in a line. */
  summary: string;
  /** What else its help says. */
  details?: string;
  /** By name in camelCase: `secretFile` is typed as `--secret-file`. */
  options: Options;
  /** Lines for a shell. */
  examples: readonly string[];
  /** Checks the options together, before any server is opened. Throws `invalid_command`. */
  check?: (values: OptionValues<Options>) => void;
  run: (values: OptionValues<Options>, context: Context) => Promise<CommandResult>;
  /** Opens what `run` needs, and closes it afterwards; default: storage and Redis. */
  open?: (name: string, work: (context: Context) => Promise<CommandResult>) => Promise<CommandResult>;
}

/** A command that opens the servers, runs and prints its result. It also takes `--json`. */
export function defineCommand<const Options extends CommandOptions, Context = CommandContext>(
  definition: CommandDefinition<Options, Context>,
): Command {
  const { name, summary, details, options, examples, check, run } = definition;
  const command = newCommand(name, summary, examples);
  if (details !== undefined) command.description(`${summary}.\n${details}`);
  for (const [key, option] of Object.entries(options)) command.addOption(optionOf(key, option));
  const needed = Object.keys(options).filter((key) => options[key].required);
  return command
    .helpCommand(false)
    .usage([...needed.map((key) => flagsOf(key, options[key])), '[options]'].join(' '))
    .option('--json', 'print the result, or the error, as JSON')
    .action(async () => {
      const values = command.opts<OptionValues<Options> & { json?: true }>();
      requireOptions(command, needed);
      check?.(values);
      const open = definition.open ?? (withServers as NonNullable<typeof definition.open>);
      const { data, lines, isFailure } = await open(nameOf(command), (context) => run(values, context));
      if (isFailure) process.exitCode = 1;
      console.log(values.json ? JSON.stringify(data, null, 2) : lines.join('\n'));
    });
}

/** A noun: the commands about one thing, as in `user add`, `user list`. */
export function defineNoun(
  name: string,
  { summary, examples, commands }: { summary: string; examples: readonly string[]; commands: Command[] },
): Command {
  const noun = newCommand(name, summary, examples).usage('<command> [options]');
  for (const command of commands) noun.addCommand(command);
  return noun;
}

/** Names every missing option at once; commander's own check names the first one only. */
function requireOptions(command: Command, needed: readonly string[]): void {
  const missing = needed.filter((key) => command.getOptionValue(key) === undefined);
  if (missing.length === 0) return;
  const flags = missing.map((key) => `--${nameOfOption(key)}`).join(', ');
  throw invalidUsage(command, `${flags} ${missing.length > 1 ? 'are' : 'is'} missing`);
}

const nameOfOption = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const flagsOf = (key: string, { value }: CommandOption<unknown>) => `--${nameOfOption(key)} <${value}>`;

function optionOf(key: string, option: CommandOption<unknown>): Option {
  const { meaning, required, choices, read } = option;
  const built = new Option(flagsOf(key, option), required ? `${meaning} (required)` : meaning);
  if (choices) built.choices(choices);
  if (option.default !== undefined) built.default(option.default);
  return built.argParser((given) => read(given, nameOfOption(key)));
}

/** The words of a command, as in `admin user add`. */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : 'admin';
}
