const nowWith = (ms: string): string => `
local time = redis.call('TIME')
local now = time[1] * 1000 + ${ms}`;

/** The start of a Lua script that defines `now`: whole milliseconds since the epoch by the clock of Redis. */
export const luaNow = nowWith('math.floor(time[2] / 1000)');

/** The same with microseconds as a fraction, for durations that are added up. */
export const luaExactNow = nowWith('time[2] / 1000');
