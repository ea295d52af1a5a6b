import { randomUUID } from 'node:crypto';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type Server,
} from '@modelcontextprotocol/server';

type Deliver = (answer: JSONRPCResponse) => void;

/** Requests to clients that wait for their answer, by an id that no two servers share. */
const waiting = new Map<JSONRPCResponse['id'], Deliver>();

/**
 * Lets the server of one HTTP request ask its client something, as revisions up to 2025-11-25 do: the answer comes as an
 * HTTP request of its own, with a server of its own, which hands it to the one that asked. The product asks nothing and
 * keeps nothing between requests, so only fixtures need this.
 */
export function awaitClientAnswers(server: Server): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const receive = transport.onmessage;
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      send(isJSONRPCRequest(message) ? renamed(message, (answer) => receive?.(answer)) : message, options);
    transport.onmessage = (message, extra) =>
      isAnswer(message) ? handOver(message) : receive?.(message, extra);
  };
}

function renamed(request: JSONRPCRequest, deliver: Deliver): JSONRPCRequest {
  const id = randomUUID();
  waiting.set(id, (answer) => deliver({ ...answer, id: request.id }));
  return { ...request, id };
}

function handOver(answer: JSONRPCResponse): void {
  waiting.get(answer.id)?.(answer);
  waiting.delete(answer.id);
}

const isAnswer = (message: JSONRPCMessage): message is JSONRPCResponse =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
