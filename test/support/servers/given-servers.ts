import type { Servers } from '../../../storage/embedded/servers.js';

/** Servers that were given, as a role takes them. */
export const givenServers = (redisUrl: string, mongodbUrl: string): Servers => ({
  redisUrl,
  mongodbUrl,
  redis: '',
  mongodb: '',
  started: [],
  announce: async () => undefined,
  close: async () => undefined,
});
