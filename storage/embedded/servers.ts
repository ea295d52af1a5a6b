import type { Settings } from '../process/settings.js';

export interface Servers {
  redisUrl: string;
  mongodbUrl: string;
  /** One sentence on what was found or started. */
  redis: string;
  mongodb: string;
  /** Publishes facts about the holder in the run file for other commands. Does nothing where this is not the holder. */
  announce(facts: { gatewayUrl?: string }): Promise<void>;
  /** Stops what this process started and gives the data folder back. May be called again. */
  close(): Promise<void>;
}

export type ServerSettings = Pick<Settings, 'REDIS_URL' | 'MONGODB_URL' | 'DATA_DIR' | 'SERVERS_DIR'>;
