#!/usr/bin/env node
/** The bin: thin, and written so that an old Node can still read it and say what it needs. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  // Not awaited here: what waits at its top can't be asked for by `require`, as the package's bin does.
  void import('./cli/run-docshare.ts').then(({ runDocshare }) => runDocshare(process.argv.slice(2)));
} else {
  process.stderr.write(
    `docshare needs Node 22.19 or newer; this is ${process.versions.node}. Install a newer Node and start it again.\n`,
  );
  process.exitCode = 1;
}

export {};
