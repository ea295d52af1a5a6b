import { luaNow } from '../../storage/servers/redis-now.js';

/** Lua: the result of an item, if it has one that has not expired. */
const resultOf = `
local function resultOf(id)
  local keep = redis.call('ZSCORE', KEYS[2], id)
  return keep and tonumber(keep) > now and redis.call('HGET', KEYS[1], id) or false
end`;

/** Lua: deletes results. */
const dropResults = `
local function drop(ids)
  for _, id in ipairs(ids) do
    redis.call('DECRBY', KEYS[3], redis.call('HSTRLEN', KEYS[1], id))
    redis.call('HDEL', KEYS[1], id)
    redis.call('ZREM', KEYS[2], id)
  end
end`;

/**
 * The atomic operations on results. KEYS: the results, their expiry times, their total bytes. The keys of claims and of
 * waiting gateways are a prefix and the item id.
 */
export const resultScripts = {
  /** Deletes up to 200 expired results and returns how many. With the last result, deletes the byte count. */
  tidemarkSweep: `${luaNow}${dropResults}
local over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 200)
drop(over)
if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[1], KEYS[3]) end
return #over`,

  /** For each id the result, or nil. ARGV: ids. */
  tidemarkRead: `${luaNow}${resultOf}
local found = {}
for n = 1, #ARGV do found[n] = resultOf(ARGV[n]) end
return found`,

  /** For each id the result, 1 when a run has claimed it, or nil. ARGV: claim prefix, ids. */
  tidemarkLook: `${luaNow}${resultOf}
local found = {}
for n = 2, #ARGV do
  found[n - 1] = resultOf(ARGV[n]) or redis.call('EXISTS', ARGV[1] .. ARGV[n]) == 1 and 1 or false
end
return found`,

  /**
   * For each item the result, 1 when the holder has the claim, or 0 when another has it: then the gateway is added to those
   * that wait. A repeated claim of the same holder succeeds, because the command may be sent again after a lost connection.
   * A gateway waits at one position of an item, its latest. ARGV: prefixes of claims and of waiting gateways, lifetime of a
   * claim and of a waiting gateway in ms, then for each item id, holder, channel, head.
   */
  tidemarkClaim: `${luaNow}${resultOf}
local given = {}
for n = 5, #ARGV, 4 do
  local id, holder = ARGV[n], ARGV[n + 1]
  local found = resultOf(id)
  if not found then
    local claim = ARGV[1] .. id
    if redis.call('SET', claim, holder, 'PX', ARGV[3], 'NX') or redis.call('GET', claim) == holder then found = 1
    else
      redis.call('HSET', ARGV[2] .. id, ARGV[n + 2], ARGV[n + 3])
      redis.call('PEXPIRE', ARGV[2] .. id, ARGV[4])
      found = 0
    end
  end
  given[#given + 1] = found
end
return given`,

  /**
   * Stores results, gives claims back, and sends results to the gateway that requested them and to those that wait. When the
   * byte limit is reached, expired results are deleted, then those that expire next, up to 1,000, because other commands wait
   * meanwhile. A result that does not fit then is sent and not stored. ARGV: prefixes of claims and of waiting gateways, byte
   * limit, then for each result id, holder, result, its length in UTF-16 units, lifetime in ms, channel, head.
   */
  tidemarkFinish: `${luaNow}${dropResults}
local drops = 1000
local function store(id, result, keep, limit)
  if redis.call('HEXISTS', KEYS[1], id) == 1 then drop({id}) end
  if #result > limit then return end
  while redis.call('INCRBY', KEYS[3], #result) > limit do
    redis.call('DECRBY', KEYS[3], #result)
    local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)
    if #oldest == 0 then redis.call('SET', KEYS[3], #result) break end
    if drops == 0 then return end
    drops = drops - 1
    drop(oldest)
  end
  redis.call('HSET', KEYS[1], id, result)
  redis.call('ZADD', KEYS[2], now + keep, id)
end
local channels, heads, texts = {}, {}, {}
local function add(channel, head, length, result)
  if not heads[channel] then
    channels[#channels + 1] = channel
    heads[channel], texts[channel] = {}, {}
  end
  table.insert(heads[channel], head .. ',"length":' .. length .. '}')
  table.insert(texts[channel], result)
end
drop(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 200))
for n = 4, #ARGV, 7 do
  local id, result, length = ARGV[n], ARGV[n + 2], ARGV[n + 3]
  store(id, result, ARGV[n + 4], tonumber(ARGV[3]))
  if redis.call('GET', ARGV[1] .. id) == ARGV[n + 1] then redis.call('DEL', ARGV[1] .. id) end
  add(ARGV[n + 5], ARGV[n + 6], length, result)
  local waiting = redis.call('HGETALL', ARGV[2] .. id)
  for each = 1, #waiting, 2 do add(waiting[each], waiting[each + 1], length, result) end
  if #waiting > 0 then redis.call('DEL', ARGV[2] .. id) end
end
for _, channel in ipairs(channels) do
  redis.call('PUBLISH', channel, '[' .. table.concat(heads[channel], ',') .. ']\\n' .. table.concat(texts[channel]))
end`,

  /** Extends claims that still belong to their holders. ARGV: claim prefix, ms, then id, holder. */
  tidemarkRenew: `
for n = 3, #ARGV, 2 do
  local claim = ARGV[1] .. ARGV[n]
  if redis.call('GET', claim) == ARGV[n + 1] then redis.call('PEXPIRE', claim, ARGV[2]) end
end`,

  /** Gives a claim back without a result and tells the waiting gateways to ask again. ARGV: prefixes, id, holder. */
  tidemarkRelease: `
local claim, waitingKey = ARGV[1] .. ARGV[3], ARGV[2] .. ARGV[3]
if redis.call('GET', claim) ~= ARGV[4] then return end
redis.call('DEL', claim)
local waiting = redis.call('HGETALL', waitingKey)
for each = 1, #waiting, 2 do
  local head = string.gsub(waiting[each + 1], '"kind":"result"', '"kind":"again"', 1)
  redis.call('PUBLISH', waiting[each], '[' .. head .. '}]\\n')
end
redis.call('DEL', waitingKey)`,

  /** Sends progress to the waiting gateways. ARGV: prefix of waiting gateways, id, progress as JSON. */
  tidemarkTell: `
local waiting = redis.call('HGETALL', ARGV[1] .. ARGV[2])
for each = 1, #waiting, 2 do
  local head = string.gsub(waiting[each + 1], '"kind":"result"', '"kind":"progress"', 1)
  redis.call('PUBLISH', waiting[each], '[' .. head .. ',"progress":' .. ARGV[3] .. '}]\\n')
end`,
} as const;
