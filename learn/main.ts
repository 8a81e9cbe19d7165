#!/usr/bin/env node
/** Executable entry point. It uses only syntax that an old Node can parse, so it can report the required version. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  // No top-level await: the package's bin loads this module with `require`.
  void import('./cli/run-docshare.ts').then(({ runDocshare }) => runDocshare(process.argv.slice(2)));
} else {
  process.stderr.write(
    `docshare needs Node 22.19 or newer; this is ${process.versions.node}. Update Node and try again.\n`,
  );
  process.exitCode = 1;
}

export {};
