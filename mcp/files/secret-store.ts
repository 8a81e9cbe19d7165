import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sanitizeFileName } from '../../src/download/sanitize-file-name.ts';
import { getSystemErrorCode } from '../error-code.ts';
import { ensurePrivateFolder } from '../state/state-folder.ts';
import { ToolError } from '../tool-error.ts';
import type { SecretStore } from './file-access.ts';

/** Creates a store in `folder`, or in a new temporary folder, when the first secret is stored. */
export function createSecretStore(folder: string | undefined): SecretStore {
  let temporaryFolder: string | undefined;
  function openFolder(): string {
    if (folder === undefined) {
      temporaryFolder ??= mkdtempSync(join(tmpdir(), 'docshare-secrets-'));
      return temporaryFolder;
    }
    ensurePrivateFolder(folder);
    accessSync(folder, constants.W_OK);
    return folder;
  }
  return {
    ensureWritable() {
      try {
        openFolder();
      } catch (error) {
        throw new ToolError(
          'not_saved',
          `The secret can't be stored in ${folder} (${getSystemErrorCode(error)}), so nothing was created. Start the server with --state DIR and a writable folder.`,
        );
      }
    },
    async save(name, text) {
      const fileName = sanitizeFileName(`${name}-${randomBytes(4).toString('hex')}.secret`) ?? 'webhook.secret';
      const path = join(openFolder(), fileName);
      await writeFile(path, text, { flag: 'wx', mode: 0o600 });
      return path;
    },
  };
}
