const READ_TIME = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * On the last key, all commands that any script needs: one that is refused makes the whole one fail, before it has done
 * anything. It must begin with one that takes memory. A full Redis refuses these only until a script's first write,
 * even one that frees some: behind a DEL all else is let through, and each write that stands alone is not.
 */
const TRY_ALL_COMMANDS = `
  local tried = KEYS[#KEYS]
  redis.call('SET', tried, '', 'PX', 1000)
  redis.call('GET', tried)
  redis.call('MGET', tried)
  redis.call('EXISTS', tried)
  redis.call('PTTL', tried)
  redis.call('DEL', tried)
  redis.call('SADD', tried, '')
  redis.call('PEXPIRE', tried, 1000)
  redis.call('SCARD', tried)
  redis.call('SREM', tried, '')
  redis.call('ZADD', tried, 0, '')
  redis.call('ZSCORE', tried, '')
  redis.call('ZCARD', tried)
  redis.call('ZRANGE', tried, 0, 0)
  redis.call('ZRANGEBYSCORE', tried, 0, 0)
  redis.call('ZREMRANGEBYSCORE', tried, 1, 1)
  redis.call('ZREM', tried, '')
`;

/**
 * A Redis that was full is full until some room is free, where ARGV[8] says so: at its edge a write that is let through
 * says nothing of the next, and it would come and go with each entry that ends.
 */
const CHECK_FREE_MEMORY = `
  local memory = ARGV[8] == '1' and redis.pcall('INFO', 'memory')
  if type(memory) == 'string' and string.find(memory, 'maxmemory_policy:noeviction', 1, true) then
    local function number(name) return tonumber(string.match(memory, '\\n' .. name .. ':(%d+)') or 0) end
    local most = number('maxmemory')
    local used = number('used_memory') - number('mem_not_counted_for_evict')
    if most > 0 and most - used < math.max(262144, most / 100) then return redis.error_reply('OOM too little room') end
  end
`;

/** What Redis does in one step each, as ioredis defines its commands; all by Redis's own clock. */
export const SCRIPTS = {
  /**
   * KEYS starts, held, settle, since, telling; ARGV requests, windowMs, member, whether it was booked already and is to be booked anew. Gives the milliseconds to
   * wait (0: booked; -1: the history is lost) and how many starts the window holds.
   */
  docshareTake: {
    numberOfKeys: 5,
    lua: `${READ_TIME}
      if redis.call('EXISTS', KEYS[4]) == 0 then return {-1, 0} end
      local wait = math.max(redis.call('PTTL', KEYS[2]), redis.call('PTTL', KEYS[3]))
      if wait > 0 then return {wait, 0} end
      -- Over as soon as the last one has told, so it is asked often.
      if redis.call('EXISTS', KEYS[5]) == 1 then return {math.min(250, math.max(1, redis.call('PTTL', KEYS[5]))), 0} end
      local requests, window = tonumber(ARGV[1]), tonumber(ARGV[2])
      -- After a clock that was set back, what lies ahead counts as of now: no burst, no stall.
      for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
        redis.call('ZADD', KEYS[1], now, member)
      end
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
      if ARGV[4] == '1' then redis.call('ZREM', KEYS[1], ARGV[3]) end
      local count = redis.call('ZCARD', KEYS[1])
      if count < requests then
        redis.call('ZADD', KEYS[1], now, ARGV[3])
        redis.call('PEXPIRE', KEYS[1], window)
        return {0, count + 1}
      end
      local blocking = redis.call('ZRANGE', KEYS[1], count - requests, count - requests, 'WITHSCORES')
      return {math.max(1, blocking[2] + window - now), count}`,
  },
  /**
   * KEYS starts; ARGV windowMs, then age and member of each start: books what happened where Redis does not know it, or
   * knows it to be older.
   */
  docshareRebook: {
    numberOfKeys: 1,
    lua: `${READ_TIME}
      for at = 2, #ARGV, 2 do
        local standing = redis.call('ZSCORE', KEYS[1], ARGV[at + 1])
        if not standing or tonumber(standing) < now - ARGV[at] then
          redis.call('ZADD', KEYS[1], now - ARGV[at], ARGV[at + 1])
        end
      end
      redis.call('PEXPIRE', KEYS[1], ARGV[1])
      return 1`,
  },
  /** KEYS any; ARGV ms: holds until then at least. */
  docshareHold: {
    numberOfKeys: 1,
    lua: `
      if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
      return 1`,
  },
  /**
   * KEYS since, run, settle, replicas, telling, expected, tried; ARGV this server, its time to live, the hold of a lost history,
   * that of a new Redis, since when this server knew the history (empty: it knew none), whether it was without Redis for a
   * while, how long all wait for each other then, and whether it was full when it was last asked. A server that knew another history holds all: nobody can tell what it
   * has forgotten. Where Redis, or only this server's road to it, was away, nobody starts until all that were here have told
   * what they did meanwhile. Gives the number of servers, the hold, since when the history
   * goes back, and the run of Redis: where one of these is another, Redis may have lost what it was told.
   */
  docshareJoin: {
    numberOfKeys: 7,
    lua: `${READ_TIME}${TRY_ALL_COMMANDS}${CHECK_FREE_MEMORY}
      local hold = 0
      local info = redis.pcall('INFO', 'server')
      local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
      local since = redis.call('GET', KEYS[1])
      if not since then
        since = string.format('%.0f', now)
        redis.call('SET', KEYS[1], since)
        hold = math.min(tonumber(ARGV[3]), tonumber(ARGV[4]))
      elseif ARGV[6] == '1' or redis.call('GET', KEYS[2]) ~= run then
        local newest = redis.call('ZRANGE', KEYS[4], -1, -1, 'WITHSCORES')
        if newest[2] and redis.call('EXISTS', KEYS[5]) == 0 then
          local here = redis.call('ZRANGEBYSCORE', KEYS[4], newest[2] - ARGV[2], '+inf')
          redis.call('DEL', KEYS[6])
          redis.call('SADD', KEYS[6], unpack(here))
          redis.call('PEXPIRE', KEYS[6], ARGV[7])
          redis.call('SET', KEYS[5], '', 'PX', ARGV[7])
        end
      end
      if ARGV[5] ~= '' and ARGV[5] ~= since then hold = tonumber(ARGV[3]) end
      redis.call('SET', KEYS[2], run)
      if hold > math.max(0, redis.call('PTTL', KEYS[3])) then redis.call('SET', KEYS[3], '', 'PX', hold) end
      redis.call('ZADD', KEYS[4], now, ARGV[1])
      redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - ARGV[2])
      redis.call('ZREMRANGEBYSCORE', KEYS[4], '(' .. (now + ARGV[2]), '+inf')
      return {redis.call('ZCARD', KEYS[4]), math.max(0, redis.call('PTTL', KEYS[3])), since, run}`,
  },
  /** KEYS telling, expected; ARGV this server, which has told all. The last one ends the wait. */
  docshareReplayed: {
    numberOfKeys: 2,
    lua: `
      redis.call('SREM', KEYS[2], ARGV[1])
      if redis.call('SCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[1]) end
      return 1`,
  },
  /** KEYS replicas, telling, expected; ARGV this server, which ends: nobody waits for it. */
  docshareLeave: {
    numberOfKeys: 3,
    lua: `
      redis.call('ZREM', KEYS[1], ARGV[1])
      redis.call('SREM', KEYS[3], ARGV[1])
      if redis.call('SCARD', KEYS[3]) == 0 then redis.call('DEL', KEYS[2]) end
      return 1`,
  },
  /** KEYS: one for each secret; ARGV: the sealed word for each. Writes all where none stands; gives what stands. */
  docshareShareSecrets: {
    numberOfKeys: undefined,
    lua: `
      local standing = redis.call('MGET', unpack(KEYS))
      for at = 1, #KEYS do if standing[at] then return standing end end
      for at = 1, #KEYS do redis.call('SET', KEYS[at], ARGV[at]) end
      return ARGV`,
  },
  /** KEYS entry; ARGV value, ms: writes where none stands, else gives the one that does. */
  docsharePutIfAbsent: {
    numberOfKeys: 1,
    lua: `
      local standing = redis.call('GET', KEYS[1])
      if standing then return standing end
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      return false`,
  },
  /** KEYS entry; ARGV the value that must stand, the new one ('': none), ms. Gives whether it stood. */
  docshareCompareAndSwap: {
    numberOfKeys: 1,
    lua: `
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
      return 1`,
  },
} as const;
