const nowWith = (ms: string): string => `
local time = redis.call('TIME')
local now = time[1] * 1000 + ${ms}`;

/** The start of a script: its `now` is whole milliseconds since the epoch by the clock of Redis, the same for all processes. */
export const luaNow = nowWith('math.floor(time[2] / 1000)');

/** The same with a fraction, for what adds up. */
export const luaExactNow = nowWith('time[2] / 1000');
