import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Replaces how files are opened until the test ends; `open` gets the real function. */
export function withDisk(open: (real: typeof promises.open) => typeof promises.open): void {
  const { open: real } = promises;
  promises.open = open(real);
  syncBuiltinESMExports();
  onTestFinished(() => {
    promises.open = real;
    syncBuiltinESMExports();
  });
}
