import type { SeenNode } from '../../storage/cluster/nodes.js';
import { defineCommand } from './cli/define-command.js';
import { tableOf } from './cli/table-of.js';
import { withCluster } from './cli/with-cluster.js';

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

/** Processes of the cluster. */
export const nodesCommand = defineCommand({
  name: 'nodes',
  summary: 'List the processes of the service',
  details: `Processes that were lost within the last minute are listed as well.
Threads are counted as interactive+background; cpu and event loop are shares of the time.`,
  options: {},
  examples: ['npm run admin -- nodes', 'npm run admin -- nodes --json'],
  async run(_values, context) {
    const nodes = await withCluster(context, (cluster) => cluster.nodes());
    return {
      data: nodes,
      lines: nodes.length === 0 ? ['no process is running'] : tableOf(titles, nodes.map(rowOf)),
    };
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
