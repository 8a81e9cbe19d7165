import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tools as menu } from '../../mcp/tools/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = `${root}dist/mcp/main.js`;
const inspector = `${root}node_modules/.bin/mcp-inspector`;

async function inspect(...args: string[]) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inspector, '--cli', process.execPath, built, '--sandbox', ...args],
    { cwd: root, maxBuffer: 16 * 1024 * 1024, timeout: 60_000 },
  );
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

test('the Inspector lists and calls the tools of the built server', async () => {
  expect(existsSync(built), 'npm run build comes first').toBe(true);
  const { tools } = await inspect('--method', 'tools/list');
  expect(tools).toHaveLength(menu.length);
  const { structuredContent } = await inspect('--method', 'tools/call', '--tool-name', 'get_usage');
  expect(Object.keys(structuredContent).length).toBeGreaterThan(0);
  const { resourceTemplates } = await inspect('--method', 'resources/templates/list');
  expect(resourceTemplates).toHaveLength(5);
}, 120_000);
