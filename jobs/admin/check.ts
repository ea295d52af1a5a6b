import { checkService } from '../../storage/checks/check-service.js';
import type { Finding } from '../../storage/checks/finding.js';
import { defineCommand, type CommandResult } from './cli/define-command.js';
import { tableOf } from './cli/table-of.js';
import { withUncheckedServers, type UncheckedContext } from './cli/with-servers.js';

export const checkCommand = defineCommand({
  name: 'check',
  summary: 'Say which servers are used, and what is unfit for production',
  details: `Looks at versions, persistence, memory, connections, clocks, disk, settings and the way to PUBLIC_URL, and changes nothing.
Ends with code 1 if anything is unfit.`,
  options: {},
  examples: ['npm run admin -- check', 'npm run admin -- check --json'],
  open: (name, work: (context: UncheckedContext) => Promise<CommandResult>) =>
    withUncheckedServers(name, work),
  async run(_values, { settings, servers }: UncheckedContext) {
    const findings = await checkService(settings, servers);
    const count = (level: Finding['level']) => findings.filter((each) => each.level === level).length;
    const [unfit, warnings] = [count('unfit'), count('warning')];
    return {
      data: { fit: unfit === 0, unfit, warnings, findings },
      lines: [...tableOf(titles, findings.map(rowOf)), '', ...advices(findings), conclusion(unfit, warnings)],
      isFailure: unfit > 0,
    };
  },
});

const titles = ['level', 'part', 'check', 'found'] as const;

const rowOf = ({ level, part, check, found }: Finding) => [level, part, check, found];

/** What to do, the worst first. */
function advices(findings: readonly Finding[]): string[] {
  const order = ['unfit', 'warning'];
  const open = findings.filter(({ advice }) => advice !== null);
  open.sort((left, right) => order.indexOf(left.level) - order.indexOf(right.level));
  return open.map(({ level, part, check, advice }) => `${level}: ${part} ${check}: ${advice}`);
}

function conclusion(unfit: number, warnings: number): string {
  if (unfit + warnings === 0) return 'fit for production';
  return `${unfit === 0 ? 'fit' : 'unfit'} for production: ${unfit} unfit, ${warnings} warnings`;
}
