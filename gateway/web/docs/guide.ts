import type { Rates } from '../../prepared/documentation.js';
import { html, type Html } from '../html.js';
import { webFile } from '../web-file.js';
import { exampleBase } from './example-base.js';
import { signalGuide } from './signal-guide.js';

/** The sections about all endpoints: envelope, sessions, signatures, errors and limits. */
export const guide = (rates: Rates, base: string): Html =>
  html` <section id="envelope">
      <h2>Envelope <a class="anchor" href="#envelope" aria-label="Link to Envelope">#</a></h2>
      <p>
        Answers under <code>/backend</code> have two fields. <code>result.type</code> is the outcome:
        <code>OPERATION_PERFORMED</code> for success. <code>result.ttl</code> is the number of seconds until
        the answer may change, because the next candle closes. <code>payload</code> holds the data. Answers
        under <code>/v3</code> have no envelope. Percent fields: 5 means 5 %. Times are UTC.
      </p>
      <pre
        tabindex="0"
      ><code>{ "result": { "type": "OPERATION_PERFORMED", "ttl": 1800 }, "payload": { … } }</code></pre>
      <p>
        Bodies are JSON objects in UTF-8 of at most 64 KiB. Repeated keys, half surrogate pairs, numbers that
        a double can't hold, and more than 32 levels are refused.
      </p>
    </section>
    <section id="sessions">
      <h2>Sessions <a class="anchor" href="#sessions" aria-label="Link to Sessions">#</a></h2>
      <p>
        <code>POST /backend/login</code> answers a token. Send it in the header <code>session-token</code>. It
        is valid for 7 days, for mobile clients 30. Endpoints that need a session answer 401 without a valid
        token. The examples below take it from a variable of the shell:
      </p>
      <pre tabindex="0"><code>${signInExample(base)}</code></pre>
    </section>
    <section id="signing">
      <h2>Signing requests <a class="anchor" href="#signing" aria-label="Link to Signing requests">#</a></h2>
      <p>
        Requests under <code>/v3/ai</code> need two headers: <code>x-timestamp</code>, the Unix time in
        seconds (or ms), at most 300 s off; and <code>x-signature</code>, the lower-case hex of HMAC-SHA256
        with your secret over four lines: timestamp, method, path and query exactly as sent, body exactly as
        sent (empty without a body). The header <code>svc-api-key</code> selects one of several secrets.
        Partners may sign their requests, too. The examples of the shell take the secret from a variable:
        <code>SECRET='your secret'</code>.
      </p>
      ${examples.map(
        ({ title, file }) =>
          html`<h3>${title}</h3>
            <pre tabindex="0"><code>${webFile(file).replaceAll(exampleBase, base)}</code></pre>`,
      )}
    </section>
    ${signalGuide(base)}
    <section id="errors">
      <h2>Errors <a class="anchor" href="#errors" aria-label="Link to Errors">#</a></h2>
      <p>
        Errors under <code>/backend</code> have the envelope, too. <code>result.type</code> is
        <code>UNAUTHORIZED</code>, <code>CRITICAL</code>, or <code>INVALID_INPUT_</code> followed by the field
        in upper snake case or by the kind of fault. The payload says what was expected and what was found.
        Errors under <code>/v3</code> are one object. Every answer has the header <code>x-request-id</code>:
        include it when you report a problem.
      </p>
      <pre tabindex="0"><code>{ "result": { "type": "INVALID_INPUT_INTERVAL" },
  "payload": { "message": "…", "field": "interval", "requestId": "…" } }

{ "error": { "code": "invalid_input", "message": "…", "field": "coin", "requestId": "…" } }</code></pre>
    </section>
    <section id="limits">
      <h2>Limits <a class="anchor" href="#limits" aria-label="Link to Limits">#</a></h2>
      <p>
        Each request costs points from a per-minute budget. The headers <code>RateLimit-Limit</code>,
        <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> (in seconds) show the state of your
        budget. A request beyond it is answered 429 with <code>Retry-After</code>; 503 with
        <code>Retry-After</code> means that the service is busy.
      </p>
      <table class="limits">
        <thead>
          <tr>
            <th scope="col">Caller</th>
            <th scope="col">Per minute</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>an address without a session</td>
            <td>${rates.RATE_GUEST} points</td>
          </tr>
          <tr>
            <td>plan free</td>
            <td>${rates.RATE_FREE} points</td>
          </tr>
          <tr>
            <td>plan plus</td>
            <td>${rates.RATE_PLUS} points</td>
          </tr>
          <tr>
            <td>plan pro</td>
            <td>${rates.RATE_PRO} points</td>
          </tr>
          <tr>
            <td>an address at /v3/ai</td>
            <td>${rates.RATE_SIGNED} requests</td>
          </tr>
          <tr>
            <td>a key of a partner</td>
            <td>${rates.RATE_SIGNALS} new signals, ${rates.RATE_COMMANDS} other requests</td>
          </tr>
        </tbody>
      </table>
    </section>`;

const examples = [
  { title: 'TypeScript', file: 'examples/sign-request.ts' },
  { title: 'Python', file: 'examples/sign_request.py' },
] as const;

/** Sets TOKEN. */
const signInExample = (base: string): string => `TOKEN=$(curl -s '${base}/backend/login' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"you@example.com","password":"your password"}' |
  sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`;
