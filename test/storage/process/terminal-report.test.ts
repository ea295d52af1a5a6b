import assert from 'node:assert/strict';
import { reportProgress, terminalReport } from '../../../storage/process/terminal-report.js';

describe('terminalReport', () => {
  const written = (isTTY: boolean, columns = 80) => {
    const texts: string[] = [];
    const report = terminalReport({ isTTY, columns, write: (text) => texts.push(text) });
    return { texts, report };
  };
  const wipe = '\r\u001b[2K';

  it('draws one line of bars on a terminal, below the other lines, and removes it', () => {
    const { texts, report } = written(true);
    reportProgress(report, { of: 'Redis', fraction: 0.5 });
    reportProgress(report, { of: 'Redis', fraction: 0.501 });
    report('a line');
    reportProgress(report, { of: 'MongoDB', fraction: 0.05 });
    reportProgress(report, { of: 'Redis', fraction: 1 });
    reportProgress(report, { of: 'MongoDB', fraction: null });
    report('ready');
    const half = 'Redis [##########----------] 50 %';
    const start = 'MongoDB [#-------------------] 5 %';
    assert.deepEqual(texts, [
      half,
      `${wipe}a line\n${half}`,
      `${wipe}${half}  ${start}`,
      `${wipe}${start}`,
      wipe,
      'ready\n',
    ]);
  });

  it('never draws a line that wraps', () => {
    const { texts, report } = written(true, 20);
    reportProgress(report, { of: 'installing Redis', fraction: 0.5 });
    assert.deepEqual(texts, ['installing Redis [#']);
  });

  it('writes a line for each quarter elsewhere, and none for what failed', () => {
    const { texts, report } = written(false);
    report('installing ...');
    reportProgress(report, { of: 'MongoDB', fraction: null });
    for (const fraction of [0, 0.1, 0.26, 0.3, 0.8, 0.99, 1, 1])
      reportProgress(report, { of: 'Redis', fraction });
    assert.deepEqual(texts, ['installing ...\n', 'Redis: 25 %\n', 'Redis: 75 %\n', 'Redis: 100 %\n']);
  });
});
