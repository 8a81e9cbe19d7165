/**
 * Writes the files by which hosts and registries install the server, all from `mcp/setup/server-info.ts` and the version: `server.json`,
 * the plugin's manifests and skills, and the marketplace's. With `--check` it only compares, and fails where one is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pluginFiles } from './installs/plugin-files.ts';
import { serverJson } from './installs/server-json.ts';
import { readOptions } from './read-options.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { check = false } = readOptions({ check: { type: 'boolean' } });
const files = Object.entries({ 'server.json': serverJson, ...pluginFiles });
const stale = files.filter(([path, value]) => {
  const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  if (!check) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return true;
});
if (check && stale.length > 0) {
  console.error(`Stale: ${stale.map(([path]) => path).join(', ')}. Run node scripts/installs.ts`);
  process.exit(1);
}
console.log(`installs: ${files.length} files ${check ? 'are current' : 'written'}`);
