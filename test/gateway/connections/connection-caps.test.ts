import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openSocket, rawExchange } from '../../support/gateway/raw-http.js';
import { headAt } from '../../support/gateway/raw-requests.js';
import { until } from '../../support/process/until.js';

const healthz = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const lastHealthz = healthz.replace('Host: x', 'Host: x\r\nConnection: close');

/** A connection of a test. */
interface Client {
  socket: Socket;
  received: string;
  isClosed: boolean;
}

describe('as many connections as are taken', () => {
  let service: TestService;
  let token: string;
  let clients: Client[] = [];

  async function open(env: Record<string, string>): Promise<void> {
    ({ service, token } = await openTestMarket({ computeNodes: 0, env }));
  }
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    clients = [];
    await service.close();
  });

  /** Opens a connection, from another address of this machine if one is given. */
  function connect(localAddress = '127.0.0.1'): Client {
    const client: Client = {
      socket: openSocket(service.url, { localAddress }),
      received: '',
      isClosed: false,
    };
    clients.push(client);
    client.socket.on('error', () => undefined);
    client.socket.on('data', (bytes: Buffer) => (client.received += bytes.toString()));
    client.socket.on('close', () => (client.isClosed = true));
    return client;
  }
  const answered = (client: Client) => until('an answer', () => client.received.includes('"alive":true'));

  async function openIdle(count: number, localAddress?: string): Promise<Client[]> {
    const opened: Client[] = [];
    for (let n = 0; n < count; n++) {
      opened.push(connect(localAddress));
      opened[n].socket.write(healthz);
      await answered(opened[n]);
    }
    return opened;
  }

  /** Connections whose request waits for a compute node, of which there is none. */
  async function openBusy(count: number): Promise<Client[]> {
    const before = service.deps.queues.waiterCount;
    const opened = Array.from({ length: count }, () => connect());
    opened.forEach(({ socket }, n) => {
      const text = JSON.stringify({ asset: 'BTC', feePercent: (n + 1) / 100 });
      socket.write(
        `${headAt('/backend/core-line/backtest')}session-token: ${token}\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
    });
    await until('the questions', () => service.deps.queues.waiterCount === before + count);
    return opened;
  }

  it('give their place to a new one when they are idle, the one that is idle for longest first', async () => {
    await open({ MAX_CONNECTIONS: '10' });
    const idle = await openIdle(10);
    // Only asked before is no longer idle for longest.
    idle[0].received = '';
    idle[0].socket.write(healthz);
    await answered(idle[0]);
    await openIdle(3);
    await until('the end of three', () => idle.filter(({ isClosed }) => isClosed).length === 3);
    assert.deepEqual(
      idle.map(({ isClosed }) => isClosed),
      [false, true, true, true, ...Array<boolean>(6).fill(false)],
    );
  });

  it('give their place to a new one when they have sent nothing', async () => {
    await open({ MAX_CONNECTIONS: '10' });
    for (let n = 0; n < 10; n++) connect();
    await openIdle(5);
  });

  it('keep it while they wait for an answer: a new one is closed at once', async () => {
    await open({ MAX_CONNECTIONS: '10' });
    const busy = await openBusy(10);
    const refused = connect();
    await until('the end of it', () => refused.isClosed);
    // One that sends nothing in time would be told so.
    assert.equal(refused.received, '');
    assert.ok(busy.every(({ isClosed }) => !isClosed));
    busy[0].socket.destroy();
    await until('room', async () => {
      const { answers } = await rawExchange(service.url, [lastHealthz]);
      return answers.some(({ status }) => status === 200);
    });
  });

  it('of one network leave room for others, and take the place of their own idle ones', async () => {
    await open({ MAX_CONNECTIONS: '10', MAX_CONNECTIONS_NETWORK: '3' });
    const [other] = await openIdle(1, '127.0.0.2');
    const [idle] = await openIdle(1);
    await openBusy(3);
    await until('the end of the idle one', () => idle.isClosed);
    const refused = connect();
    await until('the end of it', () => refused.isClosed);
    // One that sends nothing in time would be told so.
    assert.equal(refused.received, '');
    await openIdle(2, '127.0.0.2');
    assert.equal(other.isClosed, false);
  });

  it('of one network are all that there are where proxies stand in front', async () => {
    await open({ MAX_CONNECTIONS: '10', MAX_CONNECTIONS_NETWORK: '3', TRUSTED_HOPS: '1' });
    const idle = await openIdle(10);
    assert.ok(idle.every(({ isClosed }) => !isClosed));
  });
});
