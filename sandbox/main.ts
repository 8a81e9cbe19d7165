#!/usr/bin/env node
/** Entry point of the bin: small, with syntax that an old Node can parse to report the required version. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  // Not awaited: a module with top-level await can't be loaded by `require`, which the package's bin uses.
  void import('./run-sandbox.ts').then(({ runSandbox }) => runSandbox(process.argv.slice(2)));
} else {
  process.stderr.write(
    `The sandbox needs Node 22.19 or newer; this is ${process.versions.node}. Update Node and try again.\n`,
  );
  process.exitCode = 1;
}

export {};
