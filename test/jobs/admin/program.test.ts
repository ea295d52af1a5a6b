import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { adminProgram } from '../../../jobs/admin/cli/admin-program.js';
import { nouns } from '../../../jobs/admin/index.js';
import { projectRoot } from '../../support/harness/paths.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { runAdmin } from './run-admin.js';

const program = adminProgram();
const folderOfNouns = join(projectRoot, 'jobs/admin');

/** Every command that does something, with its words, as in `user add`. */
const commands = nouns.flatMap((noun) => commandsOf(noun, noun.name()));

function commandsOf(command: Command, words: string): [words: string, command: Command][] {
  if (command.commands.length === 0) return [[words, command]];
  return command.commands.flatMap((each) => commandsOf(each, `${words} ${each.name()}`));
}

/** What a command prints with `--help`. */
function helpOf(command: Command): string {
  let help = '';
  const writeOut = (text: string) => void (help += text);
  command.configureOutput({ writeOut, getOutHelpWidth: () => 200 }).outputHelp();
  return help;
}

describe('admin program', () => {
  it('has every file of the folder as a noun, in alphabetical order', () => {
    const files = readdirSync(folderOfNouns)
      .filter((name) => name.endsWith('.ts') && !['index.ts', 'main.ts'].includes(name))
      .map((name) => name.replace(/\.ts$/, ''));
    assert.deepEqual(
      nouns.map((noun) => noun.name()),
      files.sort(),
    );
    for (const noun of nouns) {
      const names = noun.commands.map((command) => command.name());
      assert.deepEqual(names, names.toSorted());
    }
  });

  it('says in the README what every command does', () => {
    const readme = readFileSync(join(folderOfNouns, 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `(.*?)` +\| (.*?) +\|$/gm)].map(([, usage, summary]) => [
      usage,
      summary,
    ]);
    assert.deepEqual(
      rows,
      commands.map(([words, command]) => [
        `${words} ${command.usage()}`.replace(/ \[options\]$/, ''),
        command.summary(),
      ]),
    );
    assert.ok(readme.split('\n').length <= 80);
  });

  const known = new Map<string, Command>([...nouns.map((noun) => [noun.name(), noun] as const), ...commands]);

  /** Fails unless the command and its options exist. */
  function assertExists(line: string): void {
    const args = line.trim().split(/ +/);
    const end = args.findIndex((arg) => !/^[a-z][a-z-]*$/.test(arg));
    const words = end < 0 ? args : args.slice(0, end);
    // On a page a word may follow the command.
    const called = words.map((_, n) => known.get(words.slice(0, words.length - n).join(' '))).find(Boolean);
    assert.ok(called, line);
    const flags = ['--help', ...called.options.map(({ long }) => long)];
    const unknown = args.filter((arg) => arg.startsWith('--') && !flags.includes(arg));
    assert.deepEqual(unknown, [], line);
  }

  it('shows examples that name commands and options that exist', () => {
    for (const command of [program, ...known.values()]) {
      const [, examples] = helpOf(command).split('\nExamples:\n');
      for (const example of examples.trimEnd().split('\n'))
        assertExists(example.trim().replace('npm run admin -- ', ''));
    }
  });

  it('is called on all pages by commands that can be pasted, which exist', () => {
    const calls =
      /(?:npm run (?:--silent )?admin --|tidemark-admin|(?:run\.js|gateway) admin) ([a-z][^`|\n]*)/g;
    const folders = ['compute', 'storage', 'jobs', 'gateway'].flatMap((name) =>
      readdirSync(join(projectRoot, name), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(name, path),
      ),
    );
    const pages = [...readdirSync(projectRoot), ...folders].filter((path) => path.endsWith('.md'));
    const found = pages.flatMap((page) => {
      const text = readFileSync(join(projectRoot, page), 'utf8');
      assert.doesNotMatch(text, /`admin (-- )?[a-z]+ [a-z]/, page);
      return [...text.matchAll(calls)].map(([, call]) => call);
    });
    assert.ok(found.length > 50, String(found.length));
    found.forEach(assertExists);
  });

  it('says of every option what it means, and of every command that it takes --json', () => {
    for (const [words, command] of commands) {
      for (const { description } of command.options) assert.notEqual(description, '', words);
      assert.ok(
        command.options.some(({ long }) => long === '--json'),
        words,
      );
    }
  });

  it('says what is wrong with a call, what may be meant, and where to read on', async () => {
    const missing =
      '--exchange, --key, --secret-file are missing; see npm run admin -- connection add --help';
    const wrong: [args: string, message: string][] = [
      ['fly', `unknown command 'fly'; see npm run admin -- --help`],
      ['usr list', `unknown command 'usr' (did you mean user?); see npm run admin -- --help`],
      ['user lst', `unknown command 'lst' (did you mean list?); see npm run admin -- user --help`],
      [
        'partner',
        'a command is missing: one of add, allow, bind, list, member, remove, revoke, rotate; see npm run admin -- partner --help',
      ],
      ['user add', '--email is missing; see npm run admin -- user add --help'],
      ['connection add --email a@example.com', missing],
      [
        'user add --mail a@example.com',
        `unknown option '--mail' (did you mean --email?); see npm run admin -- user add --help`,
      ],
      [
        'user add --email',
        `option '--email <address>' argument missing; see npm run admin -- user add --help`,
      ],
      ['user plan --email a@example.com --plan gold', '"plan" must be one of [free, plus, pro]'],
      ['limits reset', '--email or --address is missing'],
    ];
    for (const [args, message] of wrong)
      await assert.rejects(program.parseAsync(args.split(' '), { from: 'user' }), {
        code: 'invalid_command',
        message,
      });
  });
});

describe('admin where no server is needed', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  /** Runs a command that cannot find a server, and checks that it starts none. */
  async function admin(...args: string[]) {
    const result = await runAdmin(args, { folder: folder.path, env: { PATH: '' } });
    assert.deepEqual(readdirSync(folder.path), []);
    return result;
  }

  it('shows the nouns when asked for nothing, and with --help', async () => {
    const [bare, asked, help] = await Promise.all([admin(), admin('--help'), admin('help')]);
    assert.deepEqual([bare.code, bare.stderr], [0, '']);
    assert.match(bare.stdout, /^Usage: npm run admin -- <noun> <command> \[options\]\n/);
    assert.match(bare.stdout, /\n {2}candles +Candles in storage: import, status\n/);
    assert.deepEqual([asked, help], [bare, bare]);
  });

  it('shows the commands of a noun, and the options of a command with their defaults', async () => {
    const [noun, command] = await Promise.all([admin('user', '--help'), admin('user', 'add', '--help')]);
    assert.deepEqual([noun.code, command.code], [0, 0]);
    assert.match(noun.stdout, /\n {2}sign-out +End all sessions of a user\n/);
    assert.match(command.stdout, /^Usage: npm run admin -- user add --email <address> \[options\]\n/);
    assert.match(command.stdout, /--email <address> +e-mail address of the user \(required\)\n/);
    assert.match(command.stdout.replace(/\s+/g, ' '), /\(choices: "free", "plus", "pro", default: "free"\)/);
  });

  it('fails with one line for a wrong call', async () => {
    assert.deepEqual(await admin('user', 'add', '--mail', 'a@example.com'), {
      code: 1,
      stdout: '',
      stderr: `error: unknown option '--mail' (did you mean --email?); see npm run admin -- user add --help\n`,
    });
  });

  it('prints the error as JSON as well when JSON is asked for', async () => {
    const { code, stdout, stderr } = await admin('user', 'remove', '--json');
    const message = '--email is missing; see npm run admin -- user remove --help';
    assert.deepEqual([code, stderr], [1, `error: ${message}\n`]);
    assert.deepEqual(JSON.parse(stdout), { error: { code: 'invalid_command', message } });
  });
});
