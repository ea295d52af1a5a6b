import { commands as storageCommands } from './storage-commands.js';
import { runCommands } from './run-commands.js';
import { commands as jobCommands } from './index.js';

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

await runCommands([...storageCommands, ...jobCommands].sort(byName));
