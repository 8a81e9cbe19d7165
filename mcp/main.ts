#!/usr/bin/env node
/** Starts the MCP server on a supported Node version. Imports little, because an old Node has to parse it. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { enableCompileCache } from './compile-cache.ts';

const MIN_NODE_VERSION = [22, 19];

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_NODE_VERSION;
  return major > minMajor || (major === minMajor && minor >= minMinor);
}

/** Finds the Node of the npm package `node` in this folder or a parent. */
function findPinnedNode(): string | undefined {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    const node = new URL('node_modules/node/bin/node', folder);
    if (existsSync(node)) return fileURLToPath(node);
    if (folder.pathname === new URL('../', folder).pathname) return undefined;
  }
}

async function rerunWith(node: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, DOCSHARE_PINNED_NODE: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', () => rejectNodeVersion());
  child.on('exit', (code, signal) => {
    process.exit(code ?? (signal === null ? 0 : 1));
  });
}

function rejectNodeVersion(): void {
  process.stderr.write(
    `docshare-mcp requires Node ${MIN_NODE_VERSION.join('.')} or newer; this is ${process.versions.node}. Install a newer Node and try again.\n`,
  );
  process.exitCode = 1;
}

if (isNewEnough(process.versions.node)) {
  enableCompileCache(process.env);
  // Not awaited: the package's bin uses `require`, which rejects top-level await.
  void import('./server/start-server.ts').then(({ startServer }) =>
    startServer(process.argv.slice(2), process.env, {
      hosted: async (command, env) => (await import('./hosted/prepare-hosted.ts')).prepareHosted(command, env),
      seal: async (env) => (await import('./hosted/organization/seal-command.ts')).runSealCommand(env),
    }),
  );
} else {
  const node = process.env['DOCSHARE_PINNED_NODE'] ? undefined : findPinnedNode();
  if (node === undefined) rejectNodeVersion();
  else void rerunWith(node);
}
