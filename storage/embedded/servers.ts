import type { Settings } from '../process/settings.js';

export interface Servers {
  redisUrl: string;
  mongodbUrl: string;
  /** One sentence each about what was found or started. */
  redis: string;
  mongodb: string;
  /** The settings without a URL for which this process has started a server. */
  started: ('REDIS_URL' | 'MONGODB_URL')[];
  /** Publishes facts in the run file for other commands. Does nothing if this process is not the holder. */
  announce(facts: { gatewayUrl?: string }): Promise<void>;
  /** Stops the servers that this process started and releases the data folder. May be called more than once. */
  close(): Promise<void>;
}

export type ServerSettings = Pick<Settings, 'REDIS_URL' | 'MONGODB_URL' | 'DATA_DIR' | 'SERVERS_DIR'>;
