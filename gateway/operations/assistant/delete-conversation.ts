import { field } from '../../../compute/model/field.js';
import { describedOperation } from '../analysis/described-operation.js';

/** Deletes a conversation of the user. */
export const deleteConversation = describedOperation({
  id: 'delete-conversation',
  summary: 'Deletes one of your conversations with the assistant.',
  scope: 'user',
  input: { id: field.text('id of the conversation', { maxLength: 100, example: 'text' }) },
  output: { id: field.text('id of the deleted conversation') },
  errors: ['unknown_conversation'],
  async handle({ id }, { storage }, { user }) {
    await storage.conversations.remove(user!.userId, id);
    return { payload: { id } };
  },
});
