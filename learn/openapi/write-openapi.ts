import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../src/errors.ts';
import type { LearnedProfile } from '../../src/profile/format.ts';
import { apiTypes } from './api-types.ts';
import { describeService } from './describe-service.ts';

export const OPENAPI_FILE = 'docshare.openapi.json';
export const TYPES_FILE = 'docshare.api.d.ts';

/**
 * Writes the OpenAPI document and the TypeScript types of a service, each whole or not at all; without a profile of what the
 * API document gives alone.
 * @returns the paths of what was written.
 * @throws InputError where the folder can't be written to.
 */
export async function writeOpenApi({
  profile,
  folder,
}: {
  profile?: LearnedProfile | undefined;
  folder: string;
}): Promise<string[]> {
  const document = describeService(profile);
  return [
    await writeWhole(join(folder, OPENAPI_FILE), `${JSON.stringify(document, null, 2)}\n`, folder),
    await writeWhole(join(folder, TYPES_FILE), apiTypes(document), folder),
  ];
}

async function writeWhole(path: string, content: string, folder: string): Promise<string> {
  const next = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(next, content, { flag: 'wx' });
    await rename(next, path);
    return path;
  } catch (error) {
    // Where the folder is none, this fails as well.
    await rm(next, { force: true }).catch(() => undefined);
    throw new InputError(`${path} can't be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}
