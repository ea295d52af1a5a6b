import Joi from 'joi';
import type { Asker } from '../../assistant/assistant.js';
import { defineOperation } from '../../operation.js';
import { date, list, objectField, oneOf, text, answerOf } from '../output-fields.js';
import type { Caller } from '../../context.js';
import type { TokenScope } from '../../../storage/users/token-scopes.js';

const noScopes: ReadonlySet<TokenScope> = new Set();

/**
 * The caller as the one who asks the assistant. Reads the signal: a question mostly waits, so that the request no longer
 * counts as in hand.
 */
function askerOf(caller: Caller): Asker {
  const { requestId, user, address, client, signal, scopes, charge, onProgress, onEvent } = caller;
  return {
    requestId,
    user,
    address,
    client,
    signal,
    onProgress,
    onEvent,
    scopes: user && scopes ? scopes : noScopes,
    charge: charge ?? (async () => undefined),
  };
}

/** The caller as a guest: no account is in reach. */
const guestOf = (caller: Caller): Asker => ({ ...askerOf(caller), user: null, scopes: noScopes });

/** Code points of a question: characters outside of the basic plane count once, as JSON Schema counts them. */
const mostCodePoints = 2_000;

/** A question: not empty, not only blanks, at most 2,000 code points. JSON Schema says the length by itself. */
const message = Joi.string()
  .required()
  .max(mostCodePoints * 2)
  .pattern(/\S/, 'a question, and not only blanks')
  .custom((value: string, helpers) =>
    [...value].length > mostCodePoints ? helpers.error('string.max', { limit: mostCodePoints }) : value,
  )
  // The limit of units above would say 4,000.
  .messages({
    'string.max': Joi.expression(
      `{{#label}} length must be less than or equal to ${mostCodePoints} characters long`,
    ) as string,
  })
  .description(`the question, in English; at most ${mostCodePoints} code points`)
  .example('How is BTC on 4h, and what would flip it?');

const sourceFields = {
  tool: text('name of the tool in the catalogue of the connector'),
  args: Joi.object()
    .pattern(Joi.string(), Joi.any())
    .required()
    .description('arguments of the call, by the names of the catalogue'),
  asOf: date('time that its data are about'),
  source: text('where its data come from'),
};

const ask = {
  input: Joi.object<{ message: string; conversationId?: string }>({
    message,
    conversationId: Joi.string()
      .max(100)
      .description('continues an earlier conversation; without it a new one begins'),
  }),
  output: answerOf({
    response: text('the answer'),
    conversationId: text('to continue the conversation'),
    figures: objectField(
      {
        answeredBy: oneOf(
          ['model', 'analyst'],
          'who wrote the answer: a language model, or the built-in analyst',
        ),
        tools: list(
          objectField(sourceFields, 'a tool'),
          'the tools behind the figures, in the order of their calls',
        ),
      },
      'what the figures of the answer rest on',
    ),
  }),
  errors: ['unknown_conversation', 'conversation_busy'] as const,
  cost: 5,
  isLong: true as const,
};

export const askAssistant = defineOperation({
  ...ask,
  id: 'ask-assistant',
  summary: 'Answers a question in plain language, with the portfolio of the user in view.',
  scope: 'user',
  tokenScope: 'ask:assistant',
  leadsTo: [{ to: 'read-conversation', fields: { id: 'payload/conversationId' } }],
  async handle({ message: question, conversationId = null }, { assistant }, caller) {
    return { payload: await assistant.ask({ message: question, conversationId }, askerOf(caller)) };
  },
});

export const askGuestAssistant = defineOperation({
  ...ask,
  id: 'ask-guest-assistant',
  summary: 'Answers a question about the market in plain language.',
  async handle({ message: question, conversationId = null }, { assistant }, caller) {
    return { payload: await assistant.ask({ message: question, conversationId }, guestOf(caller)) };
  },
});
