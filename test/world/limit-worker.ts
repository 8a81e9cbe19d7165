/** A process that shares a limit: runs calls through the file given, and prints the times at which they started. */
import { createLimiter, openSqliteLimitStore } from '../../src/index.ts';

const [path = '', calls = '0', requests = '0', windowMs = '0'] = process.argv.slice(2);
const store = await openSqliteLimitStore(path);
const limiter = createLimiter({
  requests: Number(requests),
  windowMs: Number(windowMs),
  shared: { store, id: 'one key' },
});
const starts: number[] = [];
await Promise.all(
  Array.from({ length: Number(calls) }, () =>
    limiter.run(async () => {
      starts.push(Date.now());
    }),
  ),
);
store.close();
console.log(JSON.stringify(starts));
