import assert from 'node:assert/strict';
import { join } from 'node:path';
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
import { Inspector } from '../support/oauth/inspector.js';
import { postForm } from '../support/oauth/oauth-client.js';
import { notFetched, skip } from '../support/harness/skip.js';

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
