/**
 * Generates the files with which hosts and registries install the server, from `mcp/setup/server-info.ts` and the version:
 * `server.json`, and the manifests and skills of the plugin and marketplace. With `--check` it fails if one is outdated.
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
  console.error(`Outdated: ${stale.map(([path]) => path).join(', ')}. Run node scripts/installs.ts.`);
  process.exit(1);
}
console.log(`installs: ${files.length} files ${check ? 'are current' : 'written'}`);
