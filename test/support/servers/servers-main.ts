import { closeOnSignals } from '../process/close-on-signals.js';
import { closeTestServers, testServers } from './servers.js';

// Servers for a run of the tests that is given their URLs.

closeOnSignals(closeTestServers);
const { redisUrl, mongodbUrl } = await testServers();
console.log(`REDIS_URL=${redisUrl}\nMONGODB_URL=${mongodbUrl}`);
