import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { projectRoot } from '../harness/paths.js';
import { listenLocally } from '../servers/listen-locally.js';

type Answer = (response: ServerResponse, path: string) => void;

/**
 * An https host of documents that describe clients. Its certificate is signed by itself, so as long as it is open this process
 * trusts every certificate; which addresses it may fetch from is for each service to say.
 */
export class DocumentHost {
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  /** How it answers; by default with a good document. */
  answer: Answer;
  readonly close: () => void;

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.close = close;
    this.answer = this.good();
  }

  static async open(): Promise<DocumentHost> {
    const pem = await readFile(join(projectRoot, 'test/fixtures/loopback-certificate.pem'), 'utf8');
    const trust = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const server = createServer({ key: pem, cert: pem });
    const url = (await listenLocally(server)).replace('http:', 'https:').replace('127.0.0.1', 'localhost');
    const host = new DocumentHost(url, () => {
      if (trust === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trust;
      server.closeAllConnections();
      server.close();
    });
    server.on('request', ({ url: path = '' }, response) => {
      host.asked.push(path);
      host.answer(response, path);
    });
    return host;
  }

  /** A document with other members, and headers. */
  good(more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Answer {
    return (response, path) => {
      const document = {
        client_id: this.url + path,
        client_name: 'Editor',
        redirect_uris: ['https://editor.example/cb', 'http://127.0.0.1/cb'],
        ...more,
      };
      response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(document));
    };
  }
}
