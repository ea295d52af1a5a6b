import type { Command } from './command.js';
import { tableOf } from './table-of.js';
import { withCluster } from './with-cluster.js';

const titles = ['id', 'queue', 'job', 'code', 'message', 'times', 'attempts', 'node', 'at', 'trace'];
const shownMessage = 60;

export const jobsDead: Command = {
  name: 'jobs dead',
  summary: 'lists the jobs that failed by a bug or a crash; --json shows payload and stack, too',
  options: { queue: { value: 'Q', required: false } },
  async run({ queue }, context) {
    const letters = await withCluster(context, (cluster) => cluster.deadLetters(queue));
    const rows = letters.map(({ id, queue, name, error, times, attempts, node, at, traceId }) => {
      const message = error.message.replace(/\s+/g, ' ').slice(0, shownMessage);
      return [id, queue, name, error.code, message, String(times), String(attempts), node, at, traceId];
    });
    return {
      data: letters,
      lines: rows.length === 0 ? ['no job has failed for good'] : tableOf(titles, rows),
    };
  },
};
