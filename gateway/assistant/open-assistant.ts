import type { Deps } from '../context.js';
import type { Assistant } from './assistant.js';
import { ChatAssistant } from './chat-assistant.js';

/** The assistant with the language model of the settings, if they name one. The library for it is loaded only then. */
export async function openAssistant(deps: Deps): Promise<Assistant> {
  const { ASSISTANT_BASE_URL: url, ASSISTANT_MODEL: name } = deps.settings;
  if (url === '' || name === '') return new ChatAssistant(deps, null);
  const { OpenAiModel } = await import('./model/openai-model.js');
  return new ChatAssistant(deps, new OpenAiModel(deps.settings));
}
