import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createFolderForFile } from '../support/cleanup.ts';
import { mcpMain } from '../support/entry.ts';
import { REVIEWED_TOOLS } from '../support/reviewed-tools.ts';
import { root } from '../support/root-folder.ts';

const inspector = `${root}node_modules/.bin/mcp-inspector`;
// Otherwise the Inspector would store its catalog in the home folder of the user who runs the tests.
const env = { ...process.env, MCP_CATALOG_PATH: join(createFolderForFile('docshare-inspector-'), 'mcp.json') };

async function inspect(...args: string[]) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inspector, '--cli', process.execPath, mcpMain, '--sandbox', ...args],
    { cwd: root, env, maxBuffer: 16 * 1024 * 1024, timeout: 60_000 },
  );
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

test('the official Inspector lists the tools, finds no schema that hosts reject, and calls a tool', async () => {
  const { tools } = await inspect('--method', 'tools/list', '--strict');
  expect(tools).toHaveLength(REVIEWED_TOOLS.length);
  const { structuredContent } = await inspect(
    ...['--method', 'tools/call', '--tool-name', 'list_links', '--tool-arg', 'limit=2'],
  );
  expect(structuredContent).toMatchObject({ items: expect.any(Array) });
  const { resourceTemplates } = await inspect('--method', 'resources/templates/list');
  expect(resourceTemplates).toHaveLength(6);
}, 120_000);
