import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MIN_NODE } from './manifest.ts';

/** File name, in the folder of the entry. */
export const NODE_VERSION_CHECK_FILE = 'needs-node.js';

/**
 * Makes a package's entry reject an old Node before anything else is evaluated: its dependencies would fail there with
 * unclear errors, or work only in part.
 */
export function prependNodeVersionCheck(entry: string, name: string): void {
  writeFileSync(join(dirname(entry), NODE_VERSION_CHECK_FILE), generateNodeVersionCheck(name));
  // The first import is evaluated first.
  writeFileSync(entry, `import './${NODE_VERSION_CHECK_FILE}';\n${readFileSync(entry, 'utf8')}`);
}

/** Does nothing outside Node, such as in a browser. */
export function generateNodeVersionCheck(name: string): string {
  const [major, minor] = MIN_NODE.split('.');
  return `const { node, deno, bun } = (typeof process === 'object' && process && process.versions) || {};
const [major, minor] = typeof node === 'string' && !deno && !bun ? node.split('.').map(Number) : [];
if (major < ${major} || (major === ${major} && minor < ${minor}))
  throw new Error(\`${name} needs Node ${MIN_NODE} or newer; this is \${node}. Update Node and try again.\`);
`;
}
