import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './manifest.ts';

/** The module's name beside its entry. */
export const NEEDS_NODE = 'needs-node.js';

/**
 * Lets a package's entry refuse an old Node before anything else is evaluated: what it stands on fails there in words of
 * its own, or starts and works by halves.
 */
export function refuseOldNode(entry: string, name: string): void {
  writeFileSync(join(dirname(entry), NEEDS_NODE), needsNode(name));
  // The first import is evaluated first.
  writeFileSync(entry, `import './${NEEDS_NODE}';\n${readFileSync(entry, 'utf8')}`);
}

/** Says nothing where there is no Node: in a browser, and in what only calls itself one. */
export function needsNode(name: string): string {
  const least = root.engines.node.replace('>=', '');
  const [major, minor] = least.split('.');
  return `const { node, deno, bun } = (typeof process === 'object' && process && process.versions) || {};
const [major, minor] = typeof node === 'string' && !deno && !bun ? node.split('.').map(Number) : [];
if (major < ${major} || (major === ${major} && minor < ${minor}))
  throw new Error(\`${name} needs Node ${least} or newer; this is \${node}. Install a newer Node and start it again.\`);
`;
}
