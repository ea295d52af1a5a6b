import { createInterface } from 'node:readline';

/** The first line of standard input, empty if there is none. At a terminal it asks for it, on standard error. */
export async function readLine(): Promise<string> {
  if (process.stdin.isTTY) console.error('type the password (it is shown), then Enter:');
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return '';
}
