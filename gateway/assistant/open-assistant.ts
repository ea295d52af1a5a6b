import type { Deps } from '../context.js';
import { prepareRecogniser } from './analyst/recognition/default-recogniser.js';
import type { Assistant } from './assistant.js';
import { ChatAssistant } from './chat-assistant.js';

/** After the start of the gateway, whose other work comes first. */
const prepareAfterMs = 30_000;

/**
 * The assistant with the language model of the settings, if they name one. The library for it is loaded only then. The index of
 * the built-in analyst is made soon after, or with the first question.
 */
export async function openAssistant(deps: Deps): Promise<Assistant> {
  setTimeout(() => void prepareRecogniser(), prepareAfterMs).unref();
  const { ASSISTANT_BASE_URL: url, ASSISTANT_MODEL: name } = deps.settings;
  if (url === '' || name === '') return new ChatAssistant(deps, null);
  const { OpenAiModel } = await import('./model/openai-model.js');
  return new ChatAssistant(deps, new OpenAiModel(deps.settings));
}
