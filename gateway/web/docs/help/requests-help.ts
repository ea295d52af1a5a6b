import type { Settings } from '../../../../storage/process/settings.js';
import { html } from '../../html.js';
import { webFile } from '../../web-file.js';
import { exampleBase } from '../example-base.js';
import { exampleBox } from '../example-box.js';
import { plainTable } from '../plain-table.js';
import type { HelpPage } from './help-page.js';

/** What holds for all endpoints: envelope, sessions, signatures, errors and limits. */
export const requestsHelp = (settings: Settings, base: string): HelpPage => ({
  slug: 'requests',
  title: 'Requests and answers',
  summary: 'What holds for all endpoints: the envelope, sessions, signatures, errors and limits.',
  intro: html`<p>What holds for all endpoints.</p>`,
  sections: [
    {
      id: 'envelope',
      title: 'Envelope',
      body: html`<p>
          Answers under <code>/backend</code> have two fields. <code>result.type</code> is the outcome:
          <code>OPERATION_PERFORMED</code> for success. <code>result.ttl</code> is the number of seconds until
          the answer may change, because the next candle closes. <code>payload</code> holds the data. Answers
          under <code>/v3</code> have no envelope. Percent fields: 5 means 5 %. Times are UTC.
        </p>
        <pre
          tabindex="0"
        ><code>{ "result": { "type": "OPERATION_PERFORMED", "ttl": 1800 }, "payload": { … } }</code></pre>
        <p>
          Bodies are JSON objects in UTF-8 of at most 64 KiB. Repeated keys, half surrogate pairs, numbers
          that a double can't hold, and more than 32 levels are refused.
        </p>`,
    },
    {
      id: 'sessions',
      title: 'Sessions',
      body: html`<p>
          <code>POST /backend/login</code> answers a token. Send it in the header <code>session-token</code>.
          It is valid for 7 days, for mobile clients 30. Endpoints that need a session answer 401 without a
          valid token. The examples below take it from a variable of the shell:
        </p>
        <pre tabindex="0"><code>${signInExample(base)}</code></pre>`,
    },
    {
      id: 'signing',
      title: 'Signing requests',
      body: html`<p>
          Requests under <code>/v3/ai</code> need two headers: <code>x-timestamp</code>, the Unix time in
          seconds (or ms), at most 300 s off; and <code>x-signature</code>, the lower-case hex of HMAC-SHA256
          with your secret over four lines: timestamp, method, path and query exactly as sent, body exactly as
          sent (empty without a body). The header <code>svc-api-key</code> selects one of several secrets.
          Partners may sign their requests, too. The examples of the shell take the secret from a variable:
          <code>SECRET='your secret'</code>.
        </p>
        ${exampleBox({
          TypeScript: webFile('examples/sign-request.ts').replaceAll(exampleBase, base),
          Python: webFile('examples/sign_request.py').replaceAll(exampleBase, base),
        })}`,
    },
    {
      id: 'errors',
      title: 'Errors',
      body: html`<p>
          Errors under <code>/backend</code> have the envelope, too. <code>result.type</code> is
          <code>UNAUTHORIZED</code>, <code>CRITICAL</code>, or <code>INVALID_INPUT_</code> followed by the
          field in upper snake case or by the kind of fault. The payload says what was expected and what was
          found. Errors under <code>/v3</code> are one object. Every answer has the header
          <code>x-request-id</code>: include it when you report a problem.
        </p>
        <pre tabindex="0"><code>{ "result": { "type": "INVALID_INPUT_INTERVAL" },
  "payload": { "message": "…", "field": "interval", "requestId": "…" } }

{ "error": { "code": "invalid_input", "message": "…", "field": "coin", "requestId": "…" } }</code></pre>`,
    },
    {
      id: 'limits',
      title: 'Limits',
      body: html`<p>
          Each request costs points from a per-minute budget. The headers <code>RateLimit-Limit</code>,
          <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> (in seconds) show the state of
          your budget. A request beyond it is answered 429 with <code>Retry-After</code>; 503 with
          <code>Retry-After</code> means that the service is busy.
        </p>
        ${plainTable(
          ['Caller', 'Per minute'],
          [
            ['an address without a session', `${settings.RATE_GUEST} points`],
            ['a browser that reads pages, as visitor or with plan free', `${settings.RATE_PAGES} points`],
            ['plan free', `${settings.RATE_FREE} points`],
            ['plan plus', `${settings.RATE_PLUS} points`],
            ['plan pro', `${settings.RATE_PRO} points`],
            ['an address at /v3/ai', `${settings.RATE_SIGNED} requests`],
            [
              'a key of a partner',
              `${settings.RATE_SIGNALS} new signals, ${settings.RATE_COMMANDS} other requests`,
            ],
          ],
          'even',
        )}`,
    },
  ],
});

const signInExample = (base: string): string => `TOKEN=$(curl -s '${base}/backend/login' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"you@example.com","password":"your password"}' |
  sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`;
