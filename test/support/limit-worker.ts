/** A process that shares a rate limit; prints when each call's start was booked at the earliest and latest. */
import { createLimiter, type LimitStore, openSqliteLimitStore } from '../../src/index.ts';

const [path = '', calls = '0', requests = '0', windowMs = '0'] = process.argv.slice(2);
const file = await openSqliteLimitStore(path);
const booked: [after: number, before: number][] = [];
const now = () => Number(process.hrtime.bigint() / 1000n) / 1000;
const store: LimitStore = {
  ...file,
  take(limit) {
    const after = now();
    const waitMs = file.take(limit);
    if (waitMs === 0) booked.push([after, now()]);
    return waitMs;
  },
};
const limiter = createLimiter({
  requests: Number(requests),
  windowMs: Number(windowMs),
  shared: { store, id: 'one key' },
});
let ran = 0;
await Promise.all(Array.from({ length: Number(calls) }, () => limiter.run(async () => ran++)));
file.close();
console.log(JSON.stringify({ ran, booked }));
