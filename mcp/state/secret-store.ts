import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder } from './state-folder.ts';

/** Returns a function that writes a secret to a new file, readable by its owner only, and returns the path. */
export function createSecretStore(stateFolder: string): (name: string, secret: string) => string {
  return (name, secret) => {
    const folder = join(stateFolder, 'secrets');
    ensurePrivateFolder(folder);
    const path = join(folder, `${name.replace(/[^\w-]/g, '_').slice(0, 80)}-${Date.now()}.txt`);
    writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return path;
  };
}
