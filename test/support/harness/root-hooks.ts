import fc from 'fast-check';
import { closeOnSignals } from '../candles/close-on-signals.js';
import { closeTestServers, testServers } from '../servers/servers.js';

// The same cases in every run, so that a run says something about the change it tests; FC_SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_260_101) });

/** Mocha calls it before the first test: what has to be installed is installed before any time limit runs. */
export const mochaGlobalSetup = async (): Promise<void> => {
  // On Ctrl-C mocha ends by itself and in order.
  closeOnSignals(closeTestServers, ['SIGTERM']);
  await testServers();
};

/** Mocha calls it after the last test. */
export const mochaGlobalTeardown = closeTestServers;
