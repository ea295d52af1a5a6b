import assert from 'node:assert/strict';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import { publicUrlFindings } from '../../../storage/checks/public-url-findings.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { listenLocally } from '../../support/servers/listen-locally.js';

describe('publicUrlFindings', () => {
  let service: TestService;
  const servers: Server[] = [];
  before(async () => (service = await openTestService({ computeNodes: 0 })));
  after(async () => {
    for (const server of servers) server.close();
    await service.close();
  });

  const serve = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    return listenLocally(server);
  };
  const find = async (url: string) =>
    (await publicUrlFindings(url)).map(({ level, found }) => `${level}: ${found}`);

  it('is content with a gateway whose answers arrive as they are', async () => {
    assert.deepEqual(await find(`${service.url}/`), ['ok: a gateway answers, and nothing is changed']);
    assert.deepEqual(await find(''), []);
  });

  it('names what a proxy changes', async () => {
    const url = await serve((asked, answer) => {
      const { 'x-request-id': _id, ...headers } = asked.headers;
      request(service.url + asked.url, { headers }, (given) => {
        const { 'content-security-policy': _policy, ...kept } = given.headers;
        answer.writeHead(given.statusCode!, { ...kept, age: '7' });
        given.pipe(answer);
      }).end();
    });
    const [found] = await find(url);
    assert.equal(
      found,
      'warning: x-request-id is replaced: logs of clients and gateways have different ids; answers come from a cache; content-security-policy is removed',
    );
  });

  it('tells another server, a redirect, and one that does not answer', async () => {
    const other = await serve((_, answer) => answer.end('hello'));
    const moved = await serve((_, answer) => answer.writeHead(301, { location: service.url }).end());
    assert.deepEqual(await find(other), [`unfit: ${other}/healthz answers 200, not a gateway`]);
    assert.deepEqual(await find(moved), [`unfit: ${moved}/healthz answers 301, not a gateway`]);
    const [gone] = await find('http://127.0.0.1:1');
    assert.match(gone, /^warning: http:\/\/127.0.0.1:1\/healthz is not reached from here: ./);
  });
});
