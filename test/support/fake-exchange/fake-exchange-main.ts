/**
 * A process that is an exchange: it speaks the formats of Binance or of another exchange on a port of this machine and keeps its book in a folder.
 * `node dist/test/support/fake-exchange/fake-exchange-main.js [folder] [port] [dialect]`
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialects, type DialectName } from './dialects.js';
import { ExchangeServer } from './exchange-server.js';
import { ExchangeState } from './exchange-state.js';

const [folder = join(tmpdir(), `tidemark-exchange-${process.pid}`), port = '0', dialect = 'binance'] =
  process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const server = new ExchangeServer(new ExchangeState(folder), dialects[dialect as DialectName]);
const url = await server.listen(Number(port));
if (process.send) process.send(url);
else console.log(`the exchange is at ${url}; its book is in ${folder}`);
process.on('disconnect', () => process.exit());
