import { closeTestServers } from './servers.js';

/** Mocha calls it after the last test. */
export const mochaGlobalTeardown = closeTestServers;
