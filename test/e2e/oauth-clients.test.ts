import assert from 'node:assert/strict';
import { join, delimiter, dirname } from 'node:path';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { hashPassword } from '../../storage/users/password.js';
import { fetchedNpm, fetchedPython } from '../bench/fetched.js';
import { openTestMarket } from '../support/candles/market.js';
import { runCommand } from '../support/clients/run-command.js';
import type { TestService } from '../support/gateway/gateway.js';
import { projectRoot } from '../support/harness/paths.js';
import { newerNode, noNewerNode } from '../support/mcp/conformance-suite.js';
import { allowInBrowser } from '../support/oauth/allow-in-browser.js';
import { DocumentHost } from '../support/oauth/document-host.js';
import { postForm } from '../support/oauth/oauth-client.js';
import { notFetched, skip } from '../support/harness/skip.js';
import { freePort } from '../../storage/embedded/child-server.js';

interface InspectorAnswer {
  exitCode: number;
  /** What the tool has answered; null if the call failed. */
  structuredContent: { email: string } | null;
  /** Where it has sent the browser of its user; null if it had access already. */
  asked: URL | null;
  errors: string;
}

/** The command line of the inspector with a folder of its own, where it keeps tokens in a file: there is no keychain. */
class Inspector {
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

const pythonRelease = 'mcp==2.3.0';
const inspectorRelease = '@modelcontextprotocol/inspector@2.12.0';
const account = { email: 'ada@example.com', password: 'a long password' };
/** Clients ask for the scopes that the refusal of their call has named. */
const scope = 'read:portfolio';

/** As an access token that has expired. */
const unknownToken = `oat_${'a'.repeat(43)}`;

/** What a client keeps between runs, and the address that it sends its user to. */
class KeptAuthorization implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:7777/callback';
  readonly clientMetadata = { client_name: 'TypeScript', redirect_uris: [this.redirectUrl] };
  /** The address of the document that describes it; a client without one registers. */
  readonly clientMetadataUrl?: string;
  client: StoredOAuthClientInformation | undefined;
  stored: StoredOAuthTokens | undefined;
  asked: URL | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = '';

  constructor(clientMetadataUrl: string | null) {
    if (clientMetadataUrl !== null) this.clientMetadataUrl = clientMetadataUrl;
  }

  clientInformation = () => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.client = client);
  tokens = () => this.stored;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.stored = tokens);
  invalidateCredentials = () => void (this.stored = undefined);
  redirectToAuthorization = (url: URL) => void (this.asked = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.#discovery = state);
  discoveryState = () => this.#discovery;
  codeVerifier = () => this.#verifier;
}

describe('clients made by others connect by OAuth', function () {
  this.timeout(240_000);
  let service: TestService;
  let host: DocumentHost;

  before(async () => {
    host = await DocumentHost.open();
    // Any port of this address.
    host.answer = host.good({ redirect_uris: ['http://127.0.0.1/callback'] });
    ({ service } = await openTestMarket({ isPublicAddress: () => true }));
    const passwordHash = await hashPassword(account.password);
    await service.storage.users.add({ email: account.email, plan: 'free', passwordHash });
  });
  after(async () => {
    host.close();
    await service.close();
  });

  for (const how of ['registers', 'publishes a document'] as const)
    it(`the TypeScript package ${how}, is allowed, calls, refreshes and is disconnected`, async () => {
      const document = how === 'registers' ? null : `${host.url}/typescript`;
      const kept = new KeptAuthorization(document);
      const url = new URL(`${service.url}/mcp`);
      /** The e-mail of the account, as a new run of the client reads it. */
      const readEmail = async () => {
        const transport = new StreamableHTTPClientTransport(url, { authProvider: kept });
        const client = new Client({ name: 'test', version: '1' });
        try {
          await client.connect(transport);
          const { structuredContent } = await client.callTool({ name: 'get_account_access', arguments: {} });
          return (structuredContent as { email: string }).email;
        } finally {
          await client.close();
        }
      };
      await assert.rejects(readEmail(), UnauthorizedError);
      if (document === null) assert.match(kept.client!.client_id, /^client_/);
      else assert.equal(kept.client!.client_id, document);
      const back = await allowInBrowser(kept.asked!, account);
      const transport = new StreamableHTTPClientTransport(url, { authProvider: kept });
      await transport.finishAuth(back.searchParams);
      assert.equal(kept.stored!.scope, scope);
      assert.equal(await readEmail(), account.email);

      const first = kept.stored!;
      kept.stored = { ...first, access_token: unknownToken };
      assert.equal(await readEmail(), account.email);
      assert.notEqual(kept.stored.refresh_token, first.refresh_token);

      await revoke(kept.stored.refresh_token!, kept.client!.client_id);
      await assert.rejects(readEmail(), UnauthorizedError);
    });

  it('the Python package registers, or publishes a document, is allowed, calls, refreshes and is disconnected', async function () {
    let packages: string;
    try {
      packages = fetchedPython('mcp-python', [pythonRelease]);
    } catch (error) {
      return skip(this, notFetched('the Python client', 'python3 with pip, and PyPI', error));
    }
    const script = join(projectRoot, 'test/e2e/mcp_oauth_client.py');
    const document = `${host.url}/python`;
    const args = [script, `${service.url}/mcp`, account.email, account.password, document];
    const env = { ...process.env, PYTHONPATH: packages };
    const printed = await runCommand('python3', args, { cwd: projectRoot, env });
    const [registered, published] = JSON.parse(printed) as { client: string }[];
    const seen = { email: account.email, scope, again: account.email, refreshed: true, asked_anew: true };
    assert.match(registered.client, /^client_/);
    assert.deepEqual(registered, { ...seen, client: registered.client });
    assert.deepEqual(published, { ...seen, client: document });
  });

  it('the command line of the inspector registers, or publishes a document, is allowed, calls, refreshes and is disconnected', async function () {
    const node = newerNode();
    if (node === null) return skip(this, noNewerNode);
    let folder: string;
    try {
      folder = fetchedNpm('mcp-inspector', [inspectorRelease]);
    } catch (error) {
      return skip(this, notFetched('the inspector', 'the npm registry', error));
    }
    const program = join(folder, 'node_modules/.bin/mcp-inspector');
    const open = () => new Inspector({ program, node }, `${service.url}/mcp`, account);
    const document = `${host.url}/inspector`;
    const clients = await Promise.all([
      connectInspector(open(), []),
      connectInspector(open(), ['--client-metadata-url', document]),
    ]);
    assert.match(clients[0], /^client_/);
    assert.equal(clients[1], document);
  });

  /** Everything from the first call to the end of the access; answers the client id. */
  async function connectInspector(inspector: Inspector, identity: string[]): Promise<string> {
    const allowed = await inspector.call(...identity);
    assert.equal(allowed.structuredContent?.email, account.email, allowed.errors);
    const clientId = allowed.asked!.searchParams.get('client_id')!;

    const first = inspector.tokens;
    inspector.replaceAccessToken(unknownToken);
    const again = await inspector.call('--stored-auth-only', ...identity);
    assert.deepEqual([again.structuredContent?.email, again.asked], [account.email, null], again.errors);
    const second = inspector.tokens;
    assert.notEqual(second.refresh_token, first.refresh_token);

    // Its own `--relogin` forgets tokens without a request to the service: it does not keep the metadata that it needs for that.
    await revoke(second.refresh_token, clientId);
    const refused = await inspector.call('--stored-auth-only', ...identity);
    assert.deepEqual([refused.structuredContent, refused.asked], [null, null]);
    assert.match(refused.errors, /auth_required/);
    return clientId;
  }

  const revoke = async (token: string, client_id: string) =>
    assert.equal((await postForm(`${service.url}/revoke`, { token, client_id })).status, 200);
});
