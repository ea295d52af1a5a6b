import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { freePort } from '../../../storage/embedded/child-server.js';
import { allowInBrowser } from './allow-in-browser.js';

export interface InspectorAnswer {
  exitCode: number;
  /** What the tool has answered; null if the call failed. */
  structuredContent: { email: string } | null;
  /** Where it has sent the browser of its user; null if it had access already. */
  asked: URL | null;
  errors: string;
}

/** The command line of the inspector with a folder of its own, where it keeps tokens in a file: there is no keychain. */
export class Inspector {
  readonly #program: string;
  readonly #node: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tidemark-inspector-'));
  readonly #url: string;
  readonly #account: { email: string; password: string };

  /** `node`: of version 22 or later. `url`: of the connector. */
  constructor(
    { program, node }: { program: string; node: string },
    url: string,
    account: { email: string; password: string },
  ) {
    this.#program = program;
    this.#node = node;
    this.#url = url;
    this.#account = account;
  }

  /** Calls `get_account_access`; where it asks for a sign-in, its user opens the page and allows. */
  async call(...more: string[]): Promise<InspectorAnswer> {
    const callback = `http://127.0.0.1:${await freePort()}/callback`;
    const args = ['--cli', this.#url, '--callback-url', callback, '--method', 'tools/call'];
    const run = spawn(this.#program, [...args, '--tool-name', 'get_account_access', ...more], {
      env: {
        PATH: [dirname(this.#node), process.env.PATH].join(delimiter),
        HOME: this.#folder,
        MCP_STORAGE_DIR: this.#folder,
        MCP_INSPECTOR_SECRET_STORE: 'file',
        // It asks for a sign-in also without a terminal, and opens nothing: the address is among its errors.
        MCP_AUTO_OPEN_ENABLED: 'true',
        BROWSER: '/bin/true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const seen = { errors: '', asked: null as URL | null };
    let answered: Promise<unknown> = Promise.resolve();
    run.stderr.setEncoding('utf8').on('data', (part: string) => {
      seen.errors += part;
      const [, address] = /Please navigate to: (http\S+)\n/.exec(seen.errors) ?? [];
      if (address === undefined || seen.asked !== null) return;
      seen.asked = new URL(address);
      answered = allowInBrowser(seen.asked, this.#account).then((back) => fetch(back));
    });
    const [printed, [exitCode]] = await Promise.all([
      text(run.stdout),
      once(run, 'close') as Promise<[number]>,
    ]);
    await answered;
    const isGood = exitCode === 0;
    const structuredContent = isGood ? (JSON.parse(printed) as InspectorAnswer).structuredContent : null;
    return { exitCode, structuredContent, ...seen };
  }

  /** The tokens that it keeps. */
  get tokens(): { access_token: string; refresh_token: string } {
    const [stored] = Object.values(this.#kept().secrets);
    return JSON.parse(stored) as { access_token: string; refresh_token: string };
  }

  /** Gives it another access token, as one that has expired. */
  replaceAccessToken(access_token: string): void {
    const kept = this.#kept();
    const [name] = Object.keys(kept.secrets);
    kept.secrets[name] = JSON.stringify({ ...this.tokens, access_token });
    writeFileSync(this.#file, JSON.stringify(kept));
  }

  get #file(): string {
    return join(this.#folder, 'secrets.json');
  }

  #kept(): { secrets: Record<string, string> } {
    return JSON.parse(readFileSync(this.#file, 'utf8')) as { secrets: Record<string, string> };
  }
}
