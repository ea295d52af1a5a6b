import { closeOnSignals } from '../process/close-on-signals.js';
import { closeTestServers, testServers } from '../servers/servers.js';
import './fixed-seed.js';

// For runs of mocha alone, as editors and debuggers start it. `npm test` runs test-process-main.ts instead.

/** Mocha calls it before the first test: what has to be installed is installed before any time limit runs. */
export const mochaGlobalSetup = async (): Promise<void> => {
  // On Ctrl-C mocha ends by itself and in order.
  closeOnSignals(closeTestServers, ['SIGTERM']);
  await testServers();
};

/** Mocha calls it after the last test. */
export const mochaGlobalTeardown = closeTestServers;
