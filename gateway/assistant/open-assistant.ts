import type { Deps } from '../context.js';
import { recogniser } from './analyst/recognition/default-recogniser.js';
import type { Assistant } from './assistant.js';
import { ChatAssistant } from './chat-assistant.js';

/**
 * The assistant with the language model of the settings, if they name one. The library for it is loaded only then. The index of
 * the built-in analyst is made here, so that no request waits for it.
 */
export async function openAssistant(deps: Deps): Promise<Assistant> {
  recogniser();
  const { ASSISTANT_BASE_URL: url, ASSISTANT_MODEL: name } = deps.settings;
  if (url === '' || name === '') return new ChatAssistant(deps, null);
  const { OpenAiModel } = await import('./model/openai-model.js');
  return new ChatAssistant(deps, new OpenAiModel(deps.settings));
}
