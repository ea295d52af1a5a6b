import { tools } from '../../../mcp/tools.js';
import { scopeWords } from '../../../auth/oauth/scope-words.js';
import { mostTokens } from '../../../../storage/users/personal-tokens.js';
import { tokenScopes } from '../../../../storage/users/token-scopes.js';
import { html, type Html } from '../../html.js';
import { plainTable } from '../plain-table.js';
import { routeTable } from '../../../routes/table.js';
import { codeBlock, type HelpPage } from './help-page.js';

/** Which tokens there are, what each may do, and how it is ended. */
export const tokensHelp = (base: string): HelpPage => ({
  slug: 'tokens',
  title: 'Tokens and scopes',
  summary: 'Sessions, personal access tokens and connected apps: what each may do, and how it ends.',
  intro: html`<p>
    Three kinds of tokens act for your account. Each is shown or sent once and stored as a SHA-256 digest: who
    reads the database can't use it. Send tokens in headers, never in a URL.
  </p>`,
  sections: sections(base),
});

const kinds = [
  {
    name: 'Session',
    gets: 'POST /backend/login, or signing in on a page',
    header: 'session-token: …',
    may: 'everything, on /backend and on /mcp',
    lasts: '7 days, in mobile apps 30',
  },
  {
    name: 'Access token of a connected app (OAuth)',
    gets: 'the app, when you allow it on the page of Tidemark',
    header: 'Authorization: Bearer …',
    may: 'the scopes that you allowed, on /mcp',
    lasts: '1 hour; the app renews it, at least every 30 days',
  },
  {
    name: 'Personal access token',
    gets: 'POST /backend/tokens',
    header: 'Authorization: Bearer pat_…',
    may: 'the scopes that you chose, on /backend and on /mcp',
    lasts: '1 to 365 days, 90 unless you choose',
  },
] as const;

const sections = (base: string): HelpPage['sections'] => [
  { id: 'kinds', title: 'Kinds of tokens', body: kindTable() },
  { id: 'scopes', title: 'Scopes', body: scopeTable() },
  {
    id: 'apps',
    title: 'Connected apps',
    body: html`<p>
        A client finds out by itself where to ask: <a href="/docs/connect">connect an AI client</a>. The page
        of Tidemark names the app, where it will send you, and what it may do. An app that runs on your
        computer can't be checked: allow it only if you have just started it.
      </p>
      ${endpointList('/backend/apps')}`,
  },
  {
    id: 'personal',
    title: 'Personal access tokens',
    body: html`<p>
        For clients and programs that can't open a browser. An account has at most ${mostTokens}. With a
        session token in the variable SESSION:
      </p>
      ${codeBlock(`curl -s '${base}/backend/tokens' -H "session-token: $SESSION" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"laptop","scopes":["read:analysis"],"expiresInDays":90}'`)}
      <p>The answer shows the token this once. Over REST it stands in place of the session token:</p>
      ${codeBlock(`curl -s '${base}/backend/core-line/backtest' -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"asset":"BTC"}'`)}
      ${endpointList('/backend/tokens')}`,
  },
  {
    id: 'revoke',
    title: 'To end access',
    body: html`${plainTable(['You do', 'It ends'], endings, 'even')}
      <p>
        This takes effect within a second, and within a minute if a message between servers is lost. A token
        that others may have seen: revoke it and make another one.
      </p>`,
  },
];

const endings = [
  ['Sign out (POST /backend/logout)', 'this session'],
  [
    'End sessions (POST /backend/sessions/end)',
    'all sessions, or all others; connected apps and personal access tokens stay',
  ],
  ['Disconnect an app', 'all tokens of that app'],
  ['Revoke a personal access token', 'that token'],
  ['Change or reset the password', 'all other sessions and all connected apps; personal access tokens stay'],
] as const;

const kindTable = (): Html =>
  plainTable(
    ['Token', 'Lasts', 'Use'],
    kinds.map(({ name, gets, header, may, lasts }) => [
      name,
      lasts,
      html`From: ${gets}. Header: <code>${header}</code>. It may do ${may}.`,
    ]),
  );

const scopeTable = (): Html =>
  html`<p>
      A personal access token or an app has the scopes that you give it, and never more. What has no scope
      needs no token. Passwords, tokens, connected apps, exchanges and trading need a session: no token
      changes them.
    </p>
    ${plainTable(
      ['Scope', 'Tools', 'Allows'],
      tokenScopes.map((scope) => [
        html`<code>${scope}</code>`,
        tools.filter(({ listing }) => listing.scope === scope).length,
        scopeWords[scope],
      ]),
    )}`;

/** The endpoints whose path begins with a prefix, each with what it does and a link to its description. */
function endpointList(prefix: string): Html {
  const routes = routeTable.filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
  return html`<ul>
    ${routes.map(
      ({ method, path, operation: { id, summary } }) =>
        html`<li>
          <a href="/docs/account#${id}-${method.toLowerCase()}"><code>${method} ${path}</code></a
          >: ${summary}
        </li>`,
    )}
  </ul>`;
}
