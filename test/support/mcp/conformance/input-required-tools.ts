import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { confirmationForm, textForm } from './elicitation-forms.js';
import { fixtureTool, textResult, type FixtureTool } from './fixture-tool.js';
import { mintState, readState } from './request-state.js';

const askName = inputRequired.elicit({ message: 'What is your name?', requestedSchema: textForm('name') });
const askConfirmation = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: confirmationForm,
});

/** A question to the model of the client. */
const askModel = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });

const ask = (inputRequests: InputRequests, requestState?: string): InputRequiredResult =>
  inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) });

/** Tools that answer with what they need of the client first, as revision 2026-07-28 does (SEP-2322). */
export const inputRequiredTools: readonly FixtureTool[] = [
  fixtureTool('test_input_required_result_elicitation', 'Asks for a name', async ({ mcpReq }) => {
    const given = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name');
    if (typeof given?.name !== 'string') return ask({ user_name: askName });
    return textResult(`Hello, ${given.name}!`);
  }),
  fixtureTool('test_input_required_result_sampling', 'Asks the model', async ({ mcpReq }) => {
    const given = mcpReq.inputResponses?.capital_question;
    if (given === undefined) return ask({ capital_question: askModel('What is the capital of France?') });
    return textResult(`Sampling response: ${JSON.stringify(given)}`);
  }),
  fixtureTool('test_input_required_result_list_roots', 'Asks for the roots', async ({ mcpReq }) => {
    const given = mcpReq.inputResponses?.client_roots;
    if (given === undefined) return ask({ client_roots: inputRequired.listRoots() });
    return textResult(`Roots: ${JSON.stringify(given)}`);
  }),
  fixtureTool('test_input_required_result_request_state', 'Asks, and keeps a state', async (at) => {
    const state = await readState(at);
    if (!state || !acceptedContent(at.mcpReq.inputResponses, 'confirm'))
      return ask({ confirm: askConfirmation }, await mintState({ round: 1 }));
    return textResult('state-ok: the state came back and the user confirmed');
  }),
  fixtureTool('test_input_required_result_tampered_state', 'Refuses a changed state', async (at) => {
    const state = await readState(at);
    if (!state) return ask({ confirm: askConfirmation }, await mintState({ round: 1 }));
    return textResult('integrity-ok');
  }),
  fixtureTool('test_input_required_result_multiple_inputs', 'Asks three things at once', async (at) => {
    const state = await readState(at);
    const { user_name: name, greeting, client_roots: roots } = at.mcpReq.inputResponses ?? {};
    if (state && name && greeting && roots) return textResult(JSON.stringify({ name, greeting, roots }));
    const questions = {
      user_name: askName,
      greeting: askModel('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    };
    return ask(questions, await mintState({ round: 1 }));
  }),
  fixtureTool('test_input_required_result_multi_round', 'Asks in two rounds', async (at) => {
    const { round, name = 'unknown' } = (await readState(at)) ?? { round: 0 };
    const given = at.mcpReq.inputResponses;
    if (round === 0) return ask({ step1: askName }, await mintState({ round: 1 }));
    if (round === 1) {
      const first = acceptedContent<{ name: string }>(given, 'step1')?.name ?? 'unknown';
      const requestedSchema = textForm('color');
      const step2 = inputRequired.elicit({ message: 'What is your favorite color?', requestedSchema });
      return ask({ step2 }, await mintState({ round: 2, name: first }));
    }
    const color = acceptedContent<{ color: string }>(given, 'step2')?.color ?? 'unknown';
    return textResult(`Multi-round complete: ${name} likes ${color}`);
  }),
  fixtureTool('test_input_required_result_capabilities', 'Asks what the client can', async ({ mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) return textResult('answered');
    const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
    const can = envelope?.[CLIENT_CAPABILITIES_META_KEY];
    return ask({
      ...(can?.elicitation ? { user_name: askName } : {}),
      ...(can?.sampling ? { greeting: askModel('Generate a short greeting') } : {}),
      ...(can?.roots ? { client_roots: inputRequired.listRoots() } : {}),
    });
  }),
  fixtureTool('test_missing_capability', 'Needs a client with a model', async ({ mcpReq }) => {
    if (mcpReq.inputResponses?.llm_answer === undefined) return ask({ llm_answer: askModel('Reply: pong') });
    return textResult('answered');
  }),
];
