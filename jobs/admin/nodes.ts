import { listNodes, type SeenNode } from '../../storage/cluster/nodes.js';
import { connected, failFast, openRedis } from '../../storage/servers/redis.js';
import { defineCommand, type CommandResult } from './cli/define-command.js';
import { listResult } from './cli/table-of.js';
import { withUncheckedServers } from './cli/with-servers.js';

const titles = [
  'role',
  'state',
  'host',
  'pid',
  'version',
  'threads',
  'busy',
  'running',
  'cpu',
  'event loop',
  'started',
  'last heartbeat',
  'queues',
];

export const nodesCommand = defineCommand({
  name: 'nodes',
  summary: 'List the processes of the service',
  details: `Processes that were lost within the last minute are listed as well.
Threads are counted as interactive+background; cpu and event loop are shares of the time.`,
  options: {},
  examples: ['npm run admin -- nodes', 'npm run admin -- nodes --json'],
  // Of Redis alone: it is a first look at what still runs while MongoDB is away.
  open: (name, work: (nodes: SeenNode[]) => Promise<CommandResult>) =>
    withUncheckedServers(name, async ({ servers }) => {
      const redis = openRedis(servers.redisUrl, failFast);
      try {
        await connected(redis);
        return await work(await listNodes(redis));
      } finally {
        redis.disconnect();
      }
    }),
  async run(_values, nodes: SeenNode[]) {
    return listResult(nodes, titles, nodes.map(rowOf), 'no process is running');
  },
});

const percent = (share: number) => `${Math.round(share * 100)} %`;

const counts = (threads: SeenNode['threads']) =>
  threads === null ? '-' : `${threads.interactive}+${threads.background}`;

const rowOf = (node: SeenNode): string[] => [
  node.role,
  node.lost ? 'lost' : 'alive',
  node.host,
  String(node.pid),
  node.version,
  counts(node.threads),
  counts(node.busy),
  String(node.running),
  percent(node.load.cpu),
  percent(node.load.eventLoop),
  node.startedAt,
  node.lastHeartbeat,
  node.queues.length === 0 ? '-' : node.queues.join(','),
];
