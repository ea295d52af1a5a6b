import Mocha from 'mocha';

const { EVENT_RUN_END } = Mocha.Runner.constants;

/** Mocha's spec reporter, and after it one plain line that a program can read. */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once(EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
    });
  }
}
