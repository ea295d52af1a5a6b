import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { projectRoot } from '../support/harness/paths.js';
import { TerminalProcess } from '../support/process/on-terminal.js';
import { freePort } from '../support/process/service-process.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';
import { serversDir } from '../support/servers/servers.js';

const program = ['dist/gateway/supervisor/start.js'];

describe('npm start on a terminal', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('prints short whole lines with their role, and ends with the sign-in', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const env = { DATA_DIR: folder.path, PORT: url.split(':')[2], SERVERS_DIR: serversDir };
    const service = new TerminalProcess(process.execPath, program, { cwd: projectRoot, env });
    await service.printed(/schedule=refresh-core-lines/);
    await fetch(`${url}/docs`);
    await service.printed(/GET \/docs 200/);
    service.child.kill('SIGINT');
    assert.equal(await service.exit, 0);
    const lines = stripVTControlCharacters(service.output).split('\r\n');
    const logged = lines.filter((line) => line.startsWith('['));
    for (const line of logged)
      assert.match(line, /^\[\d\d:\d\d:\d\d\] (INFO|WARN): (gateway|compute|market |signals) \S.*$/);
    assert.deepEqual(
      lines.filter((line) => line.includes('{"') || line.includes('job done')),
      [],
    );
    assert.ok(service.output.includes('\u001b['), 'nothing is coloured');
    const signIn = lines.findIndex((line) => line.startsWith('sign in as '));
    assert.ok(lines[signIn - 4] === '' && lines[signIn - 3].startsWith('Tidemark is ready at '));
    const stopping = lines.indexOf('stopping');
    // The schedules of a first start and the request.
    assert.ok(stopping - signIn <= 10, lines.slice(signIn, stopping).join('\n'));
  });
});
