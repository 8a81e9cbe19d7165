import { chmodSync, writeFileSync } from 'node:fs';
import { MIN_NODE } from './manifest.ts';

/**
 * Writes the file that a bin of a package names. It is written in the language of the oldest Node there is, so that any can
 * read it and say which one is needed; the rest is a module that only a new one can read.
 */
export function writeBin(path: string, { name, main }: { name: string; main: string }): void {
  const [major, minor] = MIN_NODE.split('.');
  writeFileSync(
    path,
    `#!/usr/bin/env node
'use strict';
var version = process.versions.node.split('.').map(Number);
if (version[0] > ${major} || (version[0] === ${major} && version[1] >= ${minor})) {
  require('${main}');
} else {
  process.stderr.write(
    '${name} needs Node ${MIN_NODE} or newer; this is ' + process.versions.node + '. Update Node and try again.\\n'
  );
  process.exitCode = 1;
}
`,
  );
  chmodSync(path, 0o755);
}
