import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Replaces `fs.promises.open` until the test ends. `open` receives the original function. */
export function replaceFileOpen(open: (real: typeof promises.open) => typeof promises.open): void {
  const { open: real } = promises;
  promises.open = open(real);
  syncBuiltinESMExports();
  onTestFinished(() => {
    promises.open = real;
    syncBuiltinESMExports();
  });
}
