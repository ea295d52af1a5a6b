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
import { fetchedPython } from '../bench/fetched.js';
import { openTestMarket } from '../support/candles/market.js';
import { runCommand } from '../support/clients/run-command.js';
import type { TestService } from '../support/gateway/gateway.js';
import { projectRoot } from '../support/harness/paths.js';
import { allowInBrowser } from '../support/oauth/allow-in-browser.js';
import { postForm } from '../support/oauth/oauth-client.js';

const pythonRelease = 'mcp==2.3.0';
const account = { email: 'ada@example.com', password: 'a long password' };
/** Clients ask for the scopes that the refusal of their call has named. */
const scope = 'read:portfolio';

/** What a client keeps between runs, and the address that it sends its user to. */
class KeptAuthorization implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:7777/callback';
  readonly clientMetadata = { client_name: 'TypeScript', redirect_uris: [this.redirectUrl] };
  client: StoredOAuthClientInformation | undefined;
  stored: StoredOAuthTokens | undefined;
  asked: URL | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = '';

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

  before(async () => {
    ({ service } = await openTestMarket());
    const passwordHash = await hashPassword(account.password);
    await service.storage.users.add({ email: account.email, plan: 'free', passwordHash });
  });
  after(() => service.close());

  it('the TypeScript package registers, is allowed, calls, refreshes and is disconnected', async () => {
    const kept = new KeptAuthorization();
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
    assert.match(kept.client!.client_id, /^client_/);
    const back = await allowInBrowser(kept.asked!, account);
    const transport = new StreamableHTTPClientTransport(url, { authProvider: kept });
    await transport.finishAuth(back.searchParams);
    assert.equal(kept.stored!.scope, scope);
    assert.equal(await readEmail(), account.email);

    const first = kept.stored!;
    kept.stored = { ...first, access_token: `oat_${'a'.repeat(43)}` };
    assert.equal(await readEmail(), account.email);
    assert.notEqual(kept.stored.refresh_token, first.refresh_token);

    const { refresh_token } = kept.stored;
    await postForm(`${service.url}/revoke`, { token: refresh_token!, client_id: kept.client!.client_id });
    await assert.rejects(readEmail(), UnauthorizedError);
  });

  it('the Python package registers, is allowed, calls and refreshes', async function () {
    let packages: string;
    try {
      packages = fetchedPython('mcp-python', [pythonRelease]);
    } catch {
      console.log('skipped: the Python client cannot be installed from its registry');
      return this.skip();
    }
    const script = join(projectRoot, 'test/e2e/mcp_oauth_client.py');
    const args = [script, `${service.url}/mcp`, account.email, account.password];
    const env = { ...process.env, PYTHONPATH: packages };
    const printed = await runCommand('python3', args, { cwd: projectRoot, env });
    assert.deepEqual(JSON.parse(printed), {
      ...{ email: account.email, scope, again: account.email },
      ...{ refreshed: true, registered: true },
    });
  });
});
