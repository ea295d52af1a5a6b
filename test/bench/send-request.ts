import { request, type Agent } from 'node:http';

/** Sends a request, a POST with a body, and answers the bytes of the answer, which must be a success and no error of a tool. */
export function sendRequest(
  url: string,
  agent: Agent,
  { body, token }: { body?: object; token?: string } = {},
): Promise<number> {
  const headers = {
    ...(token === undefined ? {} : { 'session-token': token }),
    ...(body ? { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body ? 'POST' : 'GET', agent, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode === 200 && !text.includes('"isError":true')) return resolve(text.length);
        reject(new Error(`status ${answer.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
