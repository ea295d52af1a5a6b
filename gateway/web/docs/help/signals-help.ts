import { html } from '../../html.js';
import { webFile } from '../../web-file.js';
import { exampleBase } from '../example-base.js';
import { exampleBox } from '../example-box.js';
import type { HelpPage } from './help-page.js';

/** The life of a partner's signal. */
export const signalsHelp = (base: string): HelpPage => ({
  slug: 'signals',
  title: "A signal's life",
  summary: 'How partners send signals, what becomes of them, and why.',
  intro: html`<p>
    A partner sends a signal with a key, as <code>svc-api-key</code> and <code>svc-api-secret</code>, or
    <a href="/docs/requests#signing">signed</a> in place of the secret. It is stored before the answer comes,
    then delivered: each subscriber gets an execution of their own, with orders and a timeline that says why
    each thing was done. The partner sees how many executions are in which state, never an account.
  </p>`,
  sections: [
    {
      id: 'signals',
      title: 'What becomes of it',
      body: html`<svg class="life" viewBox="0 0 360 290" role="img" aria-labelledby="life-title">
          <title id="life-title">
            An execution is queued, then waits for its entry, is open, closing and closed. Before it is open
            it may also end as expired, cancelled, skipped or rejected.
          </title>
          ${states.map(
            ({ name, y, next }) =>
              html`<rect x="8" y="${y}" width="130" height="34" rx="6" />
                <text x="73" y="${y + 22}" text-anchor="middle">${name}</text>
                ${next === null ? '' : html`<path d="M73 ${y + 34} v26 m-5 -7 l5 7 l5 -7" />`}
                ${next === null ? '' : html`<text class="why" x="84" y="${y + 52}">${next}</text>`}`,
          )}
          ${ends.map(
            ({ name, y, why }) =>
              html`<rect x="222" y="${y}" width="130" height="34" rx="6" class="end" />
                <text x="287" y="${y + 15}" text-anchor="middle">${name}</text>
                <text class="why" x="287" y="${y + 28}" text-anchor="middle">${why}</text>`,
          )}
          <path class="branch" d="M138 85 H180 V25 H222 M180 79 H222 M180 133 H222 M180 85 V181 H222" />
          <path class="branch" d="M138 205 H200 V193 H222" />
        </svg>
        <p>
          Before the first purchase an execution may expire (<code>ttl_buy_order</code>), be cancelled, be
          skipped (the stop or the first target was touched first, or a limit of the subscriber) or rejected
          (by the exchange). Once it is open, targets, stop, trailing stop, rebuy and DCA act on it; a cancel
          withdraws its orders and sells what is held.
        </p>`,
    },
    {
      id: 'send',
      title: 'Send a signal',
      body: exampleBox({
        curl: webFile('examples/send-signal.sh').replaceAll(exampleBase, base),
        TypeScript: webFile('examples/send-signal.ts').replaceAll(exampleBase, base),
      }),
    },
  ],
});

const states = [
  { name: 'queued', y: 8, next: 'delivered' },
  { name: 'entry_pending', y: 68, next: 'bought' },
  { name: 'open', y: 128, next: 'targets, stop' },
  { name: 'closing', y: 188, next: 'everything sold' },
  { name: 'closed', y: 248, next: null },
] as const;

const ends = [
  { name: 'expired', y: 8, why: 'time ran out' },
  { name: 'skipped', y: 62, why: 'limit, or too late' },
  { name: 'rejected', y: 116, why: 'by the exchange' },
  { name: 'cancelled', y: 170, why: 'by the partner' },
] as const;
