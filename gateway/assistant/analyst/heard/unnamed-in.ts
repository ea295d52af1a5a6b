import type { MadeCall } from '../../toolbox.js';
import { intents } from '../intents.js';
import { commonWords } from '../vocabulary/words.js';
import { understand, type UnderstandingOptions } from '../understand.js';
import { unservedOf } from './unserved.js';

/**
 * What a text by a language model should have named: parts of the message that the calls behind it do not hold. It is the rule of
 * the analyst, applied to the calls of the model.
 */
export function unnamedIn(
  text: string,
  message: string,
  calls: readonly MadeCall[],
  options: UnderstandingOptions,
): string[] {
  const { questions } = understand(message, {}, options);
  const said = text.toLowerCase();
  return questions.flatMap(({ intent: read, question, slots }) => {
    const call = calls.find(({ tool }) => tool === read.tool) ?? calls[0];
    const intent = read.tool === call?.tool ? read : intents.find(({ tool }) => tool === call?.tool);
    if (call?.outcome.ok !== true || intent === undefined) return [];
    const { exchanges } = options;
    const { notes } = unservedOf({ question, intent, slots, args: call.args, exchanges });
    return notes.filter((note) => !wordsOf(note, message).some((word) => said.includes(word)));
  });
}

/** The words that a note has from the message. */
function wordsOf(note: string, message: string): string[] {
  const noted = note.toLowerCase();
  const words = message.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return words.filter((word) => word.length > 1 && !commonWords.has(word) && noted.includes(word));
}
