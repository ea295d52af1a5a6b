const turnMs = 5;
const longestTurnMs = 20;

/**
 * A clock for what this process waits for, with the ms since its start. It counts little for a turn of the event loop,
 * however long that took: while the machine holds the process up, or gives others its cores, the clock stands almost still. So
 * it tells whether a timer of this process was waited for, and nothing of how quick the machine is.
 */
export function ownClock(): () => number {
  let [passedMs, last] = [0, performance.now()];
  const pass = () => {
    const now = performance.now();
    passedMs += Math.min(now - last, longestTurnMs);
    last = now;
  };
  const turns = setInterval(pass, turnMs);
  turns.unref();
  return () => {
    pass();
    return passedMs;
  };
}
