/** The program of the migration test: migrates the database of the given URL as a process that starts does. */
import { openStorage } from '../../../storage/index.js';

const storage = openStorage(process.argv[2], { timeoutMs: 20_000 });
await storage.migrate();
await storage.close();
