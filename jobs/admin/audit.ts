import Joi from 'joi';
import { auditEvents, type AuditEvent } from '../../storage/users/audit-event.js';
import { optional, readBy } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { tableOf } from './cli/table-of.js';
import { emailReader, findUser } from './cli/user-option.js';
import type { CommandContext } from './cli/with-servers.js';

const titles = ['time', 'user', 'event', 'address', 'client', 'details'] as const;

const list = defineCommand({
  name: 'list',
  summary: 'List what happened to accounts, the newest first',
  details:
    'Events are kept for 180 days. Of a kind of event that happens to an account more than 20 times within an hour, the rest is only counted.',
  options: {
    user: optional({ value: 'address', meaning: 'only events of this user', read: emailReader }),
    event: optional({
      value: 'event',
      meaning: `only events of this kind: ${auditEvents.join(', ')}`,
      read: readBy(Joi.string<AuditEvent['event']>().valid(...auditEvents)),
    }),
    since: optional({
      value: 'date',
      meaning: 'only events since this date, as in 2026-01-02',
      read: readBy(Joi.date().iso()),
    }),
    limit: optional({
      value: 'number',
      meaning: 'most events to list; default: 100',
      read: readBy(Joi.number().integer().min(1).max(10_000)),
    }),
  },
  examples: [
    'npm run admin -- audit list',
    'npm run admin -- audit list --user you@example.com --event failed_sign_in --since 2026-01-02',
  ],
  async run({ user: email, event, since, limit = 100 }, { storage }) {
    const userId = email === undefined ? undefined : (await findUser(email, storage)).id;
    const { events, unlisted } = await storage.auditEvents.list({ userId, event, since, limit });
    const emails = await emailsOf(events, storage);
    const shown = events.map(({ at, userId: of, ...rest }) => ({
      ...rest,
      time: at.toISOString(),
      user: of === null ? null : (emails.get(of) ?? '(removed)'),
    }));
    const rows = shown.map(({ details, ...row }) => [
      ...titles.slice(0, -1).map((title) => row[title as keyof typeof row] ?? '-'),
      Object.entries(details)
        .map(([name, value]) => `${name}=${value}`)
        .join(', '),
    ]);
    const more = unlisted.map(
      ({ event: kind, hour, count }) => `and ${count} more of ${kind} in the hour of ${hour.toISOString()}`,
    );
    return {
      data: { events: shown, unlisted },
      lines: events.length === 0 ? ['there are no such events'] : [...tableOf(titles, rows), ...more],
    };
  },
});

/** The e-mails of the users of events, by id. */
async function emailsOf(
  events: readonly AuditEvent[],
  { users }: CommandContext['storage'],
): Promise<Map<string, string>> {
  const ids = [...new Set(events.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
  const found = await Promise.all(ids.map((id) => users.byId(id)));
  return new Map(found.flatMap((user) => (user ? [[user.id, user.email]] : [])));
}

export const auditCommand = defineNoun('audit', {
  summary: 'What happened to accounts: sign-ins, tokens, passwords, exchanges',
  examples: ['npm run admin -- audit list'],
  commands: [list],
});
