import { chmodSync, writeFileSync } from 'node:fs';
import { MIN_NODE } from './manifest.ts';

/**
 * Writes a package's bin file in syntax that every Node version can parse, so that an old one reports which version is
 * needed. It then loads the module that needs a new one.
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
