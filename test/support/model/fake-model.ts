import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenLocally } from '../servers/listen-locally.js';

/** One message of a request, in the chat format of OpenAI. */
export interface FakeMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

/** A request as the server has received it. */
export interface FakeRequest {
  authorization: string | undefined;
  model: string;
  stream: boolean;
  messages: FakeMessage[];
  tools: { function: { name: string; parameters: { type: string } } }[];
}

/** How the server answers one request. */
export type FakeReply =
  | { text: string; inParts?: number; pauseMs?: number; cutOff?: boolean; withoutUsage?: boolean }
  | { calls: { name: string; args: object | string }[]; text?: string }
  | { status: number; retryAfter?: string }
  /** Nothing is ever sent. */
  | { silent: true };

/** A server that speaks the chat format of OpenAI, with replies that the test decides on. */
export interface FakeModel {
  url: string;
  requests: FakeRequest[];
  /** Connections that clients have closed before the reply was complete. */
  left: number;
  /** Decides on each reply; the default repeats a greeting. */
  reply: (request: FakeRequest, n: number) => FakeReply;
  close: () => Promise<void>;
}

/** Tokens that the server says each reply has cost. */
export const tokensOfReply = 1_000;

export async function openFakeModel(): Promise<FakeModel> {
  const server = createServer((request, response) => void answer(request, response, fake));
  const fake: FakeModel = {
    url: '',
    requests: [],
    left: 0,
    reply: () => ({ text: 'Hello.' }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  fake.url = `${await listenLocally(server)}/v1`;
  return fake;
}

async function answer(request: IncomingMessage, response: ServerResponse, fake: FakeModel): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Omit<FakeRequest, 'authorization'>;
  const received = { ...body, tools: body.tools ?? [], authorization: request.headers.authorization };
  fake.requests.push(received);
  response.on('close', () => {
    if (!response.writableFinished) fake.left++;
  });
  const reply = fake.reply(received, fake.requests.length);
  if ('silent' in reply) return;
  if ('status' in reply) return refuse(response, reply);
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if ('calls' in reply) return sendCalls(response, reply);
  await sendText(response, reply);
}

function refuse(
  response: ServerResponse,
  { status, retryAfter }: { status: number; retryAfter?: string },
): void {
  const headers = {
    'Content-Type': 'application/json',
    ...(retryAfter ? { 'Retry-After': retryAfter } : {}),
  };
  response.writeHead(status, headers);
  // Servers repeat the key in such messages.
  response.end(JSON.stringify({ error: { message: 'Incorrect API key provided: sk-fake-secret' } }));
}

async function sendText(
  response: ServerResponse,
  {
    text,
    inParts = 4,
    pauseMs = 0,
    cutOff = false,
    withoutUsage = false,
  }: Extract<FakeReply, { inParts?: number }>,
): Promise<void> {
  const size = Math.max(1, Math.ceil(text.length / inParts));
  for (let at = 0; at < text.length; at += size) {
    if (response.destroyed) return;
    response.write(chunk({ delta: { content: text.slice(at, at + size) } }));
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  if (cutOff) response.destroy();
  else end(response, 'stop', withoutUsage);
}

/** Calls come in parts, side by side, as servers send parallel calls. */
function sendCalls(response: ServerResponse, { calls, text }: Extract<FakeReply, { calls: unknown }>): void {
  if (text) response.write(chunk({ delta: { content: text } }));
  const texts = calls.map(({ args }) => (typeof args === 'string' ? args : JSON.stringify(args)));
  calls.forEach(({ name }, index) =>
    response.write(
      chunk({ delta: { tool_calls: [{ index, id: `id_${index}`, function: { name, arguments: '' } }] } }),
    ),
  );
  for (const half of [0, 1])
    texts.forEach((each, index) => {
      const middle = Math.ceil(each.length / 2);
      const part = half === 0 ? each.slice(0, middle) : each.slice(middle);
      response.write(chunk({ delta: { tool_calls: [{ index, function: { arguments: part } }] } }));
    });
  end(response, 'tool_calls', false);
}

function end(response: ServerResponse, reason: string, withoutUsage: boolean): void {
  response.write(chunk({ delta: {}, finish_reason: reason }));
  if (!withoutUsage)
    response.write(`data: ${JSON.stringify({ choices: [], usage: { total_tokens: tokensOfReply } })}\n\n`);
  response.end('data: [DONE]\n\n');
}

const chunk = (choice: { delta: object; finish_reason?: string }): string =>
  `data: ${JSON.stringify({ id: 'fake', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`;
