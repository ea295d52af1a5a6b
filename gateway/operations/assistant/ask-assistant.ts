import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { defineOperation } from '../../operation.js';
import { text } from '../output-fields.js';

interface AskInput {
  message: string;
  conversationId?: string;
}

interface AskOutput {
  response: string;
  conversationId: string;
}

const ask = {
  input: Joi.object<AskInput>({
    message: Joi.string().max(2_000).required().description('the question'),
    conversationId: Joi.string().max(100).description('continues an earlier conversation'),
  }),
  output: Joi.object<AskOutput, true>({
    response: text('the answer'),
    conversationId: text('to continue the conversation'),
  }),
  cost: 5,
  handle(): Promise<never> {
    const message = 'the assistant is not there yet; the other tools answer';
    return Promise.reject(new AppError('assistant_not_ready', message));
  },
};

/** A question in plain language, answered with the user's account in view. */
export const askAssistant = defineOperation<AskInput, AskOutput>({
  ...ask,
  id: 'ask-assistant',
  summary: 'Answers a question in plain language, with the portfolio of the user in view.',
  scope: 'user',
});

/** A question in plain language about the market. */
export const askGuestAssistant = defineOperation<AskInput, AskOutput>({
  ...ask,
  id: 'ask-guest-assistant',
  summary: 'Answers a question about the market in plain language.',
  scope: 'public',
});
