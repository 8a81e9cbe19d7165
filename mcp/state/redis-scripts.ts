const READ_TIME = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Tries all commands that any script needs on the last key, so that a forbidden one fails before anything was
 * done. Must start with a command that uses memory: a full Redis rejects those only until a script's first
 * write, even if that write frees memory.
 */
const TRY_ALL_COMMANDS = `
  local tried = KEYS[#KEYS]
  redis.call('SET', tried, '', 'PX', 1000)
  redis.call('GET', tried)
  redis.call('MGET', tried)
  redis.call('EXISTS', tried)
  redis.call('PTTL', tried)
  redis.call('DEL', tried)
  redis.call('PEXPIRE', tried, 1000)
  redis.call('ZADD', tried, 0, '')
  redis.call('ZCARD', tried)
  redis.call('ZRANGE', tried, 0, 0)
  redis.call('ZRANGEBYSCORE', tried, 0, 0)
  redis.call('ZREMRANGEBYSCORE', tried, 1, 1)
  redis.call('ZREM', tried, '')
`;

/**
 * With ARGV[6], a full Redis stays full until some memory is free; otherwise it would flap with each expiring entry.
 */
const CHECK_FREE_MEMORY = `
  local memory = ARGV[6] == '1' and redis.pcall('INFO', 'memory')
  if type(memory) == 'string' and string.find(memory, 'maxmemory_policy:noeviction', 1, true) then
    local function number(name) return tonumber(string.match(memory, '\\n' .. name .. ':(%d+)') or 0) end
    local max = number('maxmemory')
    local used = number('used_memory') - number('mem_not_counted_for_evict')
    if max > 0 and max - used < math.max(262144, max / 100) then return redis.error_reply('OOM too little room') end
  end
`;

/** Atomic scripts, defined as ioredis commands, using Redis's clock. */
export const SCRIPTS = {
  /**
   * KEYS starts, held, settle, since; ARGV requests, windowMs, member, '1' to replace an earlier reservation. Returns the
   * milliseconds to wait (0: reserved; -1: Redis lost its history).
   */
  docshareTake: {
    numberOfKeys: 4,
    lua: `${READ_TIME}
      if redis.call('EXISTS', KEYS[4]) == 0 then return -1 end
      local wait = math.max(redis.call('PTTL', KEYS[2]), redis.call('PTTL', KEYS[3]))
      if wait > 0 then return wait end
      local requests, window = tonumber(ARGV[1]), tonumber(ARGV[2])
      -- If the clock was set back, entries in the future count as now: no burst, no stall.
      for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
        redis.call('ZADD', KEYS[1], now, member)
      end
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
      if ARGV[4] == '1' then redis.call('ZREM', KEYS[1], ARGV[3]) end
      local count = redis.call('ZCARD', KEYS[1])
      if count < requests then
        redis.call('ZADD', KEYS[1], now, ARGV[3])
        redis.call('PEXPIRE', KEYS[1], window)
        return 0
      end
      local blocking = redis.call('ZRANGE', KEYS[1], count - requests, count - requests, 'WITHSCORES')
      return math.max(1, blocking[2] + window - now)`,
  },
  /** KEYS starts; ARGV windowMs, member. Counts the request from now. */
  docshareRenew: {
    numberOfKeys: 1,
    lua: `${READ_TIME}
      redis.call('ZADD', KEYS[1], now, ARGV[2])
      redis.call('PEXPIRE', KEYS[1], ARGV[1])
      return 1`,
  },
  /** KEYS any; ARGV ms. Holds for at least this long. */
  docshareHold: {
    numberOfKeys: 1,
    lua: `
      if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
      return 1`,
  },
  /**
   * KEYS since, settle, replicas, tried; ARGV this replica, its TTL, the hold after a lost history, the hold of a new
   * Redis, the history this replica knows ('' if none), '1' if Redis was full before. A replica that knew another
   * history holds all requests. Returns the number of replicas, the hold, and the history's start.
   */
  docshareJoin: {
    numberOfKeys: 4,
    lua: `${READ_TIME}${TRY_ALL_COMMANDS}${CHECK_FREE_MEMORY}
      local hold = 0
      local since = redis.call('GET', KEYS[1])
      if not since then
        since = string.format('%.0f', now)
        redis.call('SET', KEYS[1], since)
        hold = math.min(tonumber(ARGV[3]), tonumber(ARGV[4]))
      end
      if ARGV[5] ~= '' and ARGV[5] ~= since then hold = tonumber(ARGV[3]) end
      if hold > math.max(0, redis.call('PTTL', KEYS[2])) then redis.call('SET', KEYS[2], '', 'PX', hold) end
      redis.call('ZADD', KEYS[3], now, ARGV[1])
      redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[2])
      redis.call('ZREMRANGEBYSCORE', KEYS[3], '(' .. (now + ARGV[2]), '+inf')
      return {redis.call('ZCARD', KEYS[3]), math.max(0, redis.call('PTTL', KEYS[2])), since}`,
  },
  /**
   * KEYS: one per secret; ARGV: the encrypted shared secret for each. Writes all if there are none; returns
   * the stored ones.
   */
  docshareShareSecrets: {
    numberOfKeys: undefined,
    lua: `
      local existing = redis.call('MGET', unpack(KEYS))
      for at = 1, #KEYS do if existing[at] then return existing end end
      for at = 1, #KEYS do redis.call('SET', KEYS[at], ARGV[at]) end
      return ARGV`,
  },
  /** KEYS entry; ARGV value, ms. Writes if absent, otherwise returns the existing value. */
  docsharePutIfAbsent: {
    numberOfKeys: 1,
    lua: `
      local existing = redis.call('GET', KEYS[1])
      if existing then return existing end
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      return false`,
  },
  /**
   * KEYS entry; ARGV expected value, new value ('' deletes), ms. Returns 1 if the value matched, or if an earlier
   * attempt already stored the new value.
   */
  docshareCompareAndSwap: {
    numberOfKeys: 1,
    lua: `
      local stored = redis.call('GET', KEYS[1])
      if stored == ARGV[2] then return 1 end
      if stored ~= ARGV[1] then return 0 end
      if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
      return 1`,
  },
} as const;
