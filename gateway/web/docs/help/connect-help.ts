import { catalogue } from '../../../mcp/catalogue.js';
import { coreTools, toolsetNames } from '../../../mcp/toolsets.js';
import { html, type Html } from '../../html.js';
import { webFile } from '../../web-file.js';
import { exampleBase } from '../example-base.js';
import { exampleBox } from '../example-box.js';
import { codeBlock, type HelpPage } from './help-page.js';

const publicTools = catalogue.filter(({ scope }) => scope === 'public').length;

const json = (value: unknown): Html => codeBlock(JSON.stringify(value, null, 2));

/** How AI clients and programs connect to the MCP connector of the service at `base`. */
export const connectHelp = (base: string): HelpPage => ({
  slug: 'connect',
  title: 'Connect an AI client',
  summary:
    'Claude, ChatGPT, VS Code and other clients of the Model Context Protocol (MCP), and your own code.',
  intro: html`<p>
      AI clients use Tidemark by the Model Context Protocol (MCP) over Streamable HTTP, at this address:
    </p>
    ${codeBlock(`${base}/mcp`)}
    <p>
      ${publicTools} of ${catalogue.length} tools need no account. For the others a client opens a page of
      Tidemark in your browser (OAuth). There you sign in, see which app asks for what, and allow or deny it.
      A client that can't open a browser takes a
      <a href="/docs/tokens#personal">personal access token</a> instead.
    </p>`,
  sections: sections(`${base}/mcp`, base),
});

const sections = (url: string, base: string): HelpPage['sections'] => [
  {
    id: 'claude',
    title: 'Claude',
    body: html`<p>On the web and in the desktop app:</p>
      <ol>
        <li>Open Customize, Connectors. Press the plus button and choose to add a custom connector.</li>
        <li>
          Enter a name and the address above. Leave the OAuth client id empty: Claude registers by itself.
        </li>
        <li>Connect, sign in on the page of Tidemark, and allow the app.</li>
      </ol>
      <p>
        Claude connects from the servers of its maker, also in the desktop app. So the address must be reached
        from the internet, over https; one on your own machine or in a private network does not work. In plans
        for teams an owner adds the connector first. A connector that was added on the web works in the mobile
        apps, too.
      </p>`,
  },
  {
    id: 'chatgpt',
    title: 'ChatGPT',
    body: html`<ol>
        <li>
          On the web, open Settings, Apps &amp; Connectors, Advanced settings, and switch Developer mode on.
          In a workspace an administrator has to allow it first. Which plans have it changes.
        </li>
        <li>Go back to Apps &amp; Connectors and press Create.</li>
        <li>Enter a name, the address above, and choose OAuth as authentication.</li>
        <li>Create it, sign in on the page of Tidemark, and allow the app.</li>
        <li>In a chat, press the plus button and choose Tidemark.</li>
      </ol>
      <p>The address must be reached from the internet, over https.</p>`,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    body: html`<p>
        In <code>.vscode/mcp.json</code> of a folder, or in the one that “MCP: Open User Configuration” opens:
      </p>
      ${json({ servers: { tidemark: { type: 'http', url } } })}
      <p>
        VS Code asks you to sign in when it is needed. With a personal access token, which it asks for once:
      </p>
      ${json({
        inputs: [
          { type: 'promptString', id: 'tidemark-token', description: 'Tidemark token', password: true },
        ],
        servers: {
          tidemark: { type: 'http', url, headers: { Authorization: 'Bearer ${input:tidemark-token}' } },
        },
      })}`,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    body: html`${codeBlock(`claude mcp add --transport http tidemark ${url}`)}
      <p>
        <code>claude mcp list</code> shows whether it is connected; tools without an account work at once. To
        sign in, run <code>claude mcp login tidemark</code> in a terminal (with <code>--no-browser</code> it
        prints the address), or start <code>claude</code> and enter <code>/mcp</code>. Or with a personal
        access token:
      </p>
      ${codeBlock(`claude mcp add --transport http tidemark ${url} --header "Authorization: Bearer $TOKEN"`)}
      <p><code>claude mcp remove tidemark</code> comes first where it is added already.</p>`,
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    body: html`${codeBlock(`gemini mcp add --transport http tidemark ${url}`)}
      <p>
        Then start <code>gemini</code> and enter <code>/mcp auth tidemark</code> to sign in. Or with a
        personal access token:
      </p>
      ${codeBlock(`gemini mcp add --transport http --header "Authorization: Bearer $TOKEN" tidemark ${url}`)}
      <p>In <code>~/.gemini/settings.json</code> the field for the address is <code>httpUrl</code>:</p>
      ${json({ mcpServers: { tidemark: { httpUrl: url } } })}`,
  },
  {
    id: 'mcp-remote',
    title: 'Other clients: mcp-remote',
    body: html`<p>
        A client that only starts programs uses the bridge <code>mcp-remote</code>, which needs Node. It opens
        the browser to sign in:
      </p>
      ${json({ mcpServers: { tidemark: { command: 'npx', args: ['mcp-remote', url] } } })}
      <p>
        With a personal access token add the header, with no space after the colon, because some clients
        divide arguments at spaces. <code>--allow-http</code> is for an address without TLS.
      </p>
      ${json({
        mcpServers: {
          tidemark: {
            command: 'npx',
            args: ['mcp-remote', url, '--header', 'Authorization:${AUTHORIZATION}'],
            env: { AUTHORIZATION: 'Bearer TOKEN' },
          },
        },
      })}`,
  },
  {
    id: 'lists',
    title: 'Fewer tools, shorter answers',
    body: html`<p>
        The address takes two settings, also as headers <code>x-mcp-toolsets</code> and
        <code>x-mcp-fields</code>:
      </p>
      <dl class="trouble">
        <dt><code>?toolsets=core</code></dt>
        <dd>
          ${coreTools.size} tools for a model with a small context. Or groups with commas between them:
          ${toolsetNames.join(', ')}; <code>all</code> adds the tools that are only in a group of their own.
        </dd>
        <dt><code>?fields=full</code></dt>
        <dd>The list has titles, all hints and the schemas of the answers, for programs that check them.</dd>
        <dt><code>?fields=minimal</code></dt>
        <dd>Answers have their headline as text, and tables their first columns.</dd>
      </dl>
      <p>
        Each tool of the list says in <code>securitySchemes</code> and <code>_meta.scope</code> whether it
        needs an account, and which <a href="/docs/tokens#scopes">scope</a>.
      </p>`,
  },
  {
    id: 'code',
    title: 'Your own code',
    body: exampleBox({
      TypeScript: webFile('examples/call-tool.ts').replaceAll(exampleBase, base),
      Python: webFile('examples/call_tool.py').replaceAll(exampleBase, base),
    }),
  },
  {
    id: 'trouble',
    title: 'If it does not work',
    body: html`<dl class="trouble">
      <dt>401</dt>
      <dd>
        The tool needs an account, or the token has expired or was revoked. Sign in again in the client.
      </dd>
      <dt>403</dt>
      <dd>
        The token does not allow this tool: see <a href="/docs/tokens#scopes">scopes</a>. Or the client uses a
        name of the service that its operator has not listed (MCP_HOSTS).
      </dd>
      <dt>429</dt>
      <dd>Too many points this minute: see <a href="/docs/requests#limits">limits</a>.</dd>
    </dl>`,
  },
];
