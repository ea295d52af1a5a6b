import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { skip } from '../support/harness/skip.js';
import { projectText } from '../support/deploy/read-yaml.js';
import { askForEvents } from '../support/gateway/event-answer.js';
import { openTestService, type TestService } from '../support/gateway/gateway.js';
import { openFakeModel, type FakeModel } from '../support/model/fake-model.js';
import { freePort } from '../support/process/service-process.js';
import { logLines } from '../support/process/log-lines.js';
import { until } from '../support/process/until.js';
import { within } from '../support/process/within.js';

interface Proxy {
  program: string;
  install: string;
  /** Arguments and environment that let it run the example between two ports. */
  run: (folder: string, port: number, gateway: number) => { args: string[]; env?: Record<string, string> };
}

const example = (name: string) => projectText(`deploy/proxies/${name}`);

const proxies: Record<string, Proxy> = {
  nginx: {
    program: 'nginx',
    install: 'nginx',
    run(folder, port, gateway) {
      const text = example('nginx.conf')
        .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replace(':3000', `:${gateway}`);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join(' ');
      const file = join(folder, 'nginx.conf');
      writeFileSync(
        file,
        `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary}\n${text}}`,
      );
      return { args: ['-p', folder, '-c', file] };
    },
  },
  haproxy: {
    program: 'haproxy',
    install: 'haproxy',
    run(folder, port, gateway) {
      const text = example('haproxy.cfg')
        .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replace('127.0.0.1:3000', `127.0.0.1:${gateway}`)
        .replace(/^ *server gateway2.*$/m, '');
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(file, text);
      return { args: ['-f', file] };
    },
  },
  caddy: {
    program: 'caddy',
    install: 'caddy',
    run(folder, port, gateway) {
      const env = { SITE: `http://127.0.0.1:${port}`, UPSTREAM: 'localhost', UPSTREAM_PORT: String(gateway) };
      const args = [
        'run',
        '--adapter',
        'caddyfile',
        '--config',
        join(projectRoot, 'deploy/proxies/Caddyfile'),
      ];
      return { args, env: { ...env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder } };
    },
  },
};

/** Asks for a path from the given address of this machine, with a forged header. */
async function askFrom(localAddress: string, url: string): Promise<number> {
  const asked = request(url, { localAddress, headers: { 'X-Forwarded-For': '203.0.113.9' } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
}

for (const [name, { program, install, run }] of Object.entries(proxies))
  describe(`${name} in front of a gateway`, () => {
    let folder: string;
    let model: FakeModel;
    let service: TestService;
    let child: ChildProcess;
    let url: string;
    const { log, lines } = logLines();

    before(async function () {
      if (spawnSync(program, ['version']).error) skip(this, `no ${program}: install ${install}`);
      folder = mkdtempSync(join(tmpdir(), `tidemark-${name}-`));
      model = await openFakeModel();
      const assistant = { ASSISTANT_BASE_URL: model.url, ASSISTANT_MODEL: 'fake' };
      service = await openTestService({ env: { ...assistant, TRUSTED_HOPS: '1' }, log });
      const port = await freePort();
      const { args, env = {} } = run(folder, port, Number(new URL(service.url).port));
      child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
      url = `http://127.0.0.1:${port}`;
      await until('the proxy', () =>
        fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    });
    after(async () => {
      if (child?.exitCode === null) child.kill('SIGKILL');
      await service?.close();
      await model?.close();
      if (folder) rmSync(folder, { recursive: true });
    });

    it('tells the gateway the address of the client, whatever that claims', async () => {
      assert.equal(await askFrom('127.0.0.2', `${url}/backend/no-such-path`), 404);
      const line = await until('the log line', () =>
        lines.find(({ path }) => path === '/backend/no-such-path'),
      );
      assert.equal(line.ip, '127.0.0.2');
    });

    it('passes events on before the answer ends, and ends itself while it waits for more', async () => {
      const call = { calls: [{ name: 'get_price', args: { assets: ['BTC'] } }] };
      model.reply = ({ messages }) => (messages.at(-1)!.role === 'tool' ? { silent: true } : call);
      const answer = await askForEvents({
        url: `${url}/backend/assistant/guest-chat`,
        body: { message: 'price of BTC' },
      });
      await until('an event, while the model is silent', () => answer.events.length > 0);
      assert.equal(answer.headers['content-type'], 'text/event-stream; charset=utf-8');
      const ended = once(child, 'exit');
      child.kill();
      await within('its end', ended, 80_000);
      answer.leave();
    });
  });
