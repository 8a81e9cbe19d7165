import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readProfile } from '../../src/profile/read-profile.ts';
import { writeOpenApi } from '../openapi/write-openapi.ts';
import { PROFILE_FILE } from '../write/atomic-file.ts';
import type { CommandIo } from './command-io.ts';
import type { LearnCommand } from './learn-options.ts';

/**
 * Writes the OpenAPI document and types of a service from its existing profile (`docshare learn --openapi`).
 * @throws InputError if the profile is invalid or the folder is not writable.
 */
export async function generateOpenApi(
  { out }: Pick<LearnCommand, 'out'>,
  { env, print, printStatus }: Pick<CommandIo, 'env' | 'print' | 'printStatus'>,
): Promise<number> {
  const configuredPath = env['DOCSHARE_PROFILE']?.trim();
  const path = configuredPath || join(out, PROFILE_FILE);
  const profile = configuredPath || existsSync(path) ? await readProfile(path) : undefined;
  printStatus(
    profile
      ? `Using ${path}, learned from ${new URL(profile.service).origin} on ${profile.learned.at.slice(0, 10)}.\n`
      : `There is no ${path}: the output contains only what the API document says. Run \`docshare learn\` to add the rest.\n`,
  );
  const paths = await writeOpenApi({ profile, folder: out });
  print(paths.map((one) => `  ${one}\n`).join(''));
  return 0;
}
