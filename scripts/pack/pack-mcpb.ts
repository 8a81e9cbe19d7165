import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mcpbManifest } from '../installs/mcpb-manifest.ts';

const MCPB = 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js';

/**
 * Packs the server package as `docshare-mcp.mcpb`, with a file of its SHA-256. Not signed: no host verifies signatures of the
 * official tool, and one rejects them.
 */
export function packMcpb(packages: string): string {
  const folder = join(packages, 'mcpb');
  const bundle = join(packages, 'docshare-mcp.mcpb');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(packages, 'docshare-mcp'), join(folder, 'server'), { recursive: true });
  cpSync('zapier/assets/logo.png', join(folder, 'icon.png'));
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(mcpbManifest, null, 2)}\n`);
  try {
    // Its own process, because it prints warnings that say that all is well.
    execFileSync(process.execPath, [MCPB, 'pack', folder, bundle], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`The mcpb tool rejected the bundle:\n${(error as { stdout: string }).stdout}`);
  }
  const archive = readFileSync(bundle);
  clearZipTimes(archive);
  writeFileSync(bundle, archive);
  const sum = createHash('sha256').update(archive).digest('hex');
  writeFileSync(`${bundle}.sha256`, `${sum}  ${basename(bundle)}\n`);
  rmSync(folder, { recursive: true });
  return bundle;
}

/** Sets the time of each entry to 1980, the earliest in ZIP, so that equal files give equal archives. */
function clearZipTimes(archive: Buffer): void {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    // Time and date, in the local header and in the central directory.
    for (const offset of [entry + 12, archive.readUInt32LE(entry + 42) + 10])
      archive.writeUInt32LE(0x00_21_00_00, offset);
    entry += [28, 30, 32].reduce((length, field) => length + archive.readUInt16LE(entry + field), 46);
  }
}
