import { getUsage } from '../../../../operations/account/get-account-access.js';
import { html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import { accountPage } from './account-view.js';

const planNames = { free: 'Free', plus: 'Plus', pro: 'Pro' };

const usage = (name: string, { used, limit }: { used: number; limit: number }, note: string) => {
  const words = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;
  const meter = html`<meter min="0" max="${limit}" value="${used}" aria-label="${name}: ${words}"></meter>`;
  return [name, html`${words} ${meter}`, note];
};

/** The account, its plan, and what is used of its limits. */
export const overviewPage = accountPage({
  path: '/account',
  title: 'Your account',
  forms: [],
  async body(request) {
    const { plan, points, today, backtests, sessions, tokens } = await request.run(getUsage);
    const { email, isVerified } = request.user!;
    return html`<dl>
        <dt>E-mail</dt>
        <dd>${email}</dd>
        <dt>Confirmed</dt>
        <dd>
          ${
            isVerified
              ? 'yes'
              : html`no <span class="quiet">– until then your network shares one limit of requests</span>`
          }
        </dd>
        <dt>Plan</dt>
        <dd>${planNames[plan]}</dd>
      </dl>
      <h2>Usage</h2>
      ${
        today === null
          ? html`<p class="quiet">The requests of today are not known at the moment.</p>`
          : html`<p>
              Today (${today.day}, UTC), requests: <strong>${today.requests.toLocaleString('en')}</strong>,
              points: <strong>${today.points.toLocaleString('en')}</strong>. Only the points of a minute are
              limited.
            </p>`
      }
      ${dataTable({
        caption: 'What is used of each limit',
        titles: ['Limit', 'Used', 'Note'],
        rows: [
          usage('Points this minute', points, `All are available again in ${points.resetSeconds} s.`),
          usage('Backtests', backtests, 'The oldest makes room for a new one.'),
          usage('Sessions', sessions, 'A new one ends the oldest.'),
          usage('Access tokens', tokens, 'Revoke one to make room.'),
        ],
      })}`;
  },
});
