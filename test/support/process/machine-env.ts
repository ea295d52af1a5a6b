/** What makes a machine another one (test/machines.sh): processes that a test starts are on the same. */
const names = ['DONT_FAKE_MONOTONIC', 'FAKETIME', 'LANG', 'LC_ALL', 'LD_PRELOAD', 'PATH', 'TZ'];

/** The settings of this process that those it starts get as well; none that is in force for the tests themselves. */
export const machineEnv = (): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
