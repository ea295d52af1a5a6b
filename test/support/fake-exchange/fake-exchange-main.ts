/**
 * A process that is an exchange: it speaks Binance's formats on a port of this machine and keeps its book in a folder.
 * `node dist/test/support/fake-exchange/fake-exchange-main.js [folder] [port]`
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExchangeServer } from './exchange-server.js';
import { ExchangeState } from './exchange-state.js';

const [folder = join(tmpdir(), `tidemark-exchange-${process.pid}`), port = '0'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const url = await new ExchangeServer(new ExchangeState(folder)).listen(Number(port));
if (process.send) process.send(url);
else console.log(`the exchange is at ${url}; its book is in ${folder}`);
process.on('disconnect', () => process.exit());
