import type { Command } from './command.js';
import { tableOf } from './table-of.js';
import type { SeenNode } from '../../storage/cluster/nodes.js';
import { withCluster } from './with-cluster.js';

const titles = [
  ...['role', 'state', 'host', 'pid', 'version', 'threads', 'busy', 'running', 'cpu', 'loop'],
  ...['started', 'last heartbeat', 'takes from'],
];

export const nodesList: Command = {
  name: 'nodes',
  summary: 'lists the processes of the service, those lost within the last minute, too',
  options: {},
  async run(_options, context) {
    const nodes = await withCluster(context, (cluster) => cluster.nodes());
    const lines = nodes.length === 0 ? ['no process is running'] : tableOf(titles, nodes.map(rowOf));
    return { data: nodes, lines };
  },
};

const percent = (share: number) => `${Math.round(share * 100)} %`;
/** Interactive and background. */
const counts = (threads: SeenNode['threads']) =>
  threads === null ? '-' : `${threads.interactive}+${threads.background}`;

const rowOf = (node: SeenNode): string[] => [
  ...[node.role, node.lost ? 'lost' : 'alive', node.host, String(node.pid), node.version],
  ...[counts(node.threads), counts(node.busy), String(node.running)],
  ...[percent(node.load.cpu), percent(node.load.eventLoop), node.startedAt, node.lastHeartbeat],
  node.queues.length === 0 ? '-' : node.queues.join(','),
];
