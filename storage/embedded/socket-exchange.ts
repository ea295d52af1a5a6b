import { connect } from 'node:net';

/** Where a server listens: a port of an address, or a Unix socket. */
export type ServerSocket = { port: number; host: string } | { path: string };

/**
 * Sends a text to a server and returns the answer once `isWhole` accepts it; undefined if no server listens or the answer is
 * not complete within a second. An empty text only tests the connection.
 */
export function socketExchange(
  address: ServerSocket,
  text: string,
  isWhole: (answer: string) => boolean,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ ...address, timeout: 1_000 });
    const end = (result: string | undefined) => {
      socket.destroy();
      resolve(result);
    };
    socket.on('connect', () => (text === '' ? end('') : socket.write(text)));
    socket.on('data', (data) => {
      answer += data.toString();
      if (isWhole(answer)) end(answer);
    });
    socket.on('error', () => end(undefined));
    socket.on('timeout', () => end(undefined));
    socket.on('close', () => end(undefined));
  });
}
