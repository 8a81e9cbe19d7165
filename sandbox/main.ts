#!/usr/bin/env node
/** Entry point of the bin: small, with syntax that an old Node can parse to report the required version. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  // Not awaited: a module with top-level await can't be loaded by `require`, which the package's bin uses.
  void import('./run-sandbox.ts').then(({ runSandbox }) => runSandbox(process.argv.slice(2)));
} else {
  const pinned = findPinnedNode();
  if (pinned) runOn(pinned);
  else {
    process.stderr.write(
      `The sandbox needs Node 22.19 or newer; this is ${process.versions.node}. Update Node and try again.\n`,
    );
    process.exitCode = 1;
  }
}

/** Returns the Node that the project installs as a development dependency. */
function findPinnedNode(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const path = join(dirname(manifest), 'bin', 'node');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

function runOn(node: string): void {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
}
