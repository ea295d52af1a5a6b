import type { Settings } from '../../../storage/process/settings.js';
import { html, type Html } from '../html.js';
import { webFile } from '../web-file.js';

/** What holds for all endpoints: envelope, sessions, signatures, errors and limits. */
export const guide = (settings: Settings): Html =>
  html` <section id="envelope">
      <h2>Envelope</h2>
      <p>
        Answers under <code>/backend</code> have two fields. <code>result.type</code> is
        <code>OPERATION_PERFORMED</code> where all went well, and <code>result.ttl</code> says for how many
        seconds the answer stays true: until the next candle closes. <code>payload</code> holds the answer.
        Answers under <code>/v3</code> are bare objects. Percentages are in percent, what is called a fraction
        is one; times are UTC.
      </p>
      <pre
        tabindex="0"
      ><code>{ "result": { "type": "OPERATION_PERFORMED", "ttl": 1800 }, "payload": { … } }</code></pre>
      <p>
        Bodies are JSON objects in UTF-8 of at most 64 KiB. A key that stands twice, half a surrogate pair, a
        number no double holds, and more than 32 levels are refused.
      </p>
    </section>
    <section id="sessions">
      <h2>Sessions</h2>
      <p>
        <code>POST /backend/login</code> answers a token. Send it as the header <code>session-token</code>. It
        is good for 7 days, 30 from a mobile client. Without a token that is good, endpoints that need one
        answer 401.
      </p>
    </section>
    <section id="signing">
      <h2>Signing requests</h2>
      <p>
        Requests under <code>/v3/ai</code> carry <code>x-timestamp</code>, the Unix time in seconds (or ms),
        at most 300 s off, and <code>x-signature</code>, the lower-case hex of HMAC-SHA256 over four lines
        with your secret as the key: timestamp, method, path and query exactly as sent, body exactly as sent
        (empty where there is none). The header <code>svc-api-key</code> selects the secret where you have
        several.
      </p>
      ${examples.map(
        ({ title, file }) =>
          html`<h3>${title}</h3>
            <pre tabindex="0"><code>${webFile(file)}</code></pre>`,
      )}
    </section>
    <section id="errors">
      <h2>Errors</h2>
      <p>
        An error under <code>/backend</code> keeps the envelope: <code>result.type</code> is
        <code>UNAUTHORIZED</code>, <code>INVALID_INPUT_</code> and the field in upper snake case or the kind
        of fault, or <code>CRITICAL</code>. The payload says what was expected and what was found. Under
        <code>/v3</code> it is one object. Every answer has <code>x-request-id</code>: name it when you ask
        about an answer.
      </p>
      <pre tabindex="0"><code>{ "result": { "type": "INVALID_INPUT_INTERVAL" },
  "payload": { "message": "…", "field": "interval", "requestId": "…" } }

{ "error": { "code": "invalid_input", "message": "…", "field": "coin", "requestId": "…" } }</code></pre>
    </section>
    <section id="limits">
      <h2>Limits</h2>
      <p>
        Every question costs points; a minute has so many. <code>RateLimit-Limit</code>,
        <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> (seconds) say how you stand. Beyond
        it the answer is 429 with <code>Retry-After</code>; 503 with <code>Retry-After</code> means that the
        service is busy.
      </p>
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">A minute</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>an address without a session</td>
              <td>${settings.RATE_GUEST} points</td>
            </tr>
            <tr>
              <td>plan free</td>
              <td>${settings.RATE_FREE} points</td>
            </tr>
            <tr>
              <td>plan plus</td>
              <td>${settings.RATE_PLUS} points</td>
            </tr>
            <tr>
              <td>plan pro</td>
              <td>${settings.RATE_PRO} points</td>
            </tr>
            <tr>
              <td>an address at /v3/ai</td>
              <td>${settings.RATE_SIGNED} requests</td>
            </tr>
          </tbody>
        </table>
      </div>
    </section>`;

const examples = [
  { title: 'TypeScript', file: 'examples/sign-request.ts' },
  { title: 'Python', file: 'examples/sign_request.py' },
] as const;
