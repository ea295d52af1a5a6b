import Joi from 'joi';
import { auditEvents, type AuditDetails, type AuditEventName } from '../../../storage/users/audit-event.js';
import { auditPlace } from '../../../storage/users/audit-events.js';
import { defineOperation } from '../../operation.js';
import {
  count,
  date,
  list,
  objectField,
  oneOf,
  text,
  answerOf,
  type ValueOf,
  shownOf,
} from '../output-fields.js';
import { pageOf, readCursor, writeCursor, type PageInput } from '../page-cursor.js';

const kind = () => oneOf(auditEvents, 'what happened');

const eventFields = {
  time: date('when it happened'),
  event: kind(),
  address: text('network that it came from; null if it is not kept').allow(null),
  client: text('what the client called itself; null if it is not kept').allow(null, ''),
  details: Joi.object<AuditDetails>()
    .pattern(Joi.string(), Joi.alternatives(Joi.string().allow(''), Joi.number(), Joi.boolean()))
    .required()
    .description('facts about the event, such as the name of a token; never a secret'),
};

const unlistedFields = {
  hour: date('start of the hour'),
  event: kind(),
  count: count('how many more there were'),
};

export type ListAuditOutput = ValueOf<typeof auditOutput>;

const auditOutput = answerOf({
  events: list(objectField(eventFields, 'an event'), 'the newest first'),
  unlisted: list(
    objectField(unlistedFields, 'events of a kind'),
    'events that were only counted, because there were more than 20 of a kind within an hour',
  ),
  nextCursor: text('cursor of the next page; null at the end').allow(null),
});

export const listAudit = defineOperation({
  id: 'list-audit',
  summary: 'What happened to your account in the last 180 days, the newest first.',
  scope: 'user',
  input: Joi.object<PageInput & { event?: AuditEventName }>({
    event: Joi.string()
      .valid(...auditEvents)
      .description('only events of this kind'),
    ...pageOf(100, 50),
  }),
  output: auditOutput,
  async handle({ event, limit, cursor }, { storage, audit }, { user }) {
    const { userId } = user!;
    await audit.settled(userId);
    const after = readCursor(cursor, auditPlace);
    const page = await storage.auditEvents.list({ userId, event, after, limit });
    return {
      payload: {
        events: page.events.map((each) => ({
          ...shownOf(eventFields, each),
          time: each.at.toISOString(),
        })),
        unlisted: page.unlisted.map(({ hour, ...rest }) => ({ hour: hour.toISOString(), ...rest })),
        nextCursor: writeCursor(page.next),
      },
    };
  },
});
