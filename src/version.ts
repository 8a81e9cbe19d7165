import { existsSync, readFileSync } from 'node:fs';

/** Package version from package.json, which is one folder further up in the build. */
export const version = readVersion();

function readVersion(): string {
  for (const manifestPath of ['../package.json', '../../package.json']) {
    const file = new URL(manifestPath, import.meta.url);
    if (!existsSync(file)) continue;
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  }
  return '0.0.0';
}
