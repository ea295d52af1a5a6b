import type { Redis } from 'ioredis';
import { attemptPrefix } from '../../../storage/users/attempt-counter.js';

/** Sets every time that is stored of attempts back. ARGV: pattern of keys, ms. */
const script = `
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  for _, field in ipairs(redis.call('HKEYS', key)) do
    if field ~= 'failures' then redis.call('HINCRBY', key, field, -ARGV[2]) end
  end
end`;

/** Lets time pass for the attempts that Redis counts: those of one key, or of all. */
export async function ageAttempts(redis: Redis, ms: number, key = '*'): Promise<void> {
  if (ms !== 0) await redis.eval(script, 0, attemptPrefix + key, ms);
}
