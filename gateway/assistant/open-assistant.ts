import type { Deps } from '../context.js';
import { prepareRecogniser } from './analyst/recognition/default-recogniser.js';
import type { Assistant } from './assistant.js';
import { ChatAssistant } from './chat-assistant.js';

/** How long after the start of the gateway the analyst is prepared, because other work comes first. */
const prepareAfterMs = 30_000;

/**
 * The assistant, with a language model if the settings name one. The library for models is loaded only then. The index of the
 * built-in analyst is made a while after the start, or with the first question.
 */
export async function openAssistant(deps: Deps): Promise<Assistant> {
  setTimeout(() => void prepareRecogniser(), prepareAfterMs).unref();
  const { ASSISTANT_BASE_URL: url, ASSISTANT_MODEL: name } = deps.settings;
  if (url === '' || name === '') return new ChatAssistant(deps, null);
  const { OpenAiModel } = await import('./model/openai-model.js');
  return new ChatAssistant(deps, new OpenAiModel(deps.settings));
}
