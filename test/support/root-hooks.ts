import { closeTestServers, testServers } from './servers.js';

/** Mocha calls it before the first test: what has to be installed is installed before any time limit runs. */
export const mochaGlobalSetup = async (): Promise<void> => void (await testServers());

/** Mocha calls it after the last test. */
export const mochaGlobalTeardown = closeTestServers;
