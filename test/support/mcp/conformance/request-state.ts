import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What a tool remembers between two rounds; the client carries it. */
interface RoundState {
  round: number;
  name?: string;
}

const codec = createRequestStateCodec<RoundState>({ key: randomBytes(32) });

/** Signs the state that the client sends back. */
export const mintState = (state: RoundState): Promise<string> => codec.mint(state);

/** The state that the client sent back; null in the first round. Throws a protocol error for one that was changed. */
export async function readState(at: ServerContext): Promise<RoundState | null> {
  const text = at.mcpReq.requestState<string>();
  if (text === undefined) return null;
  try {
    return await codec.verify(text, at);
  } catch (cause) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `requestState is not ours: ${String(cause)}`);
  }
}
