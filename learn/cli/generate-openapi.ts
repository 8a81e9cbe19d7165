import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readProfile } from '../../src/profile/read-profile.ts';
import { writeOpenApi } from '../openapi/write-openapi.ts';
import { PROFILE_FILE } from '../write/atomic-file.ts';
import type { LearnCommand } from './learn-options.ts';

/**
 * `docshare learn --openapi`: the OpenAPI document and the types of a service, from the profile that is there.
 * @throws InputError for a profile that is none, and a folder that can't be written to.
 */
export async function generateOpenApi(
  { out }: Pick<LearnCommand, 'out'>,
  {
    env,
    print,
    printStatus,
  }: { env: NodeJS.ProcessEnv; print: (text: string) => void; printStatus: (text: string) => void },
): Promise<number> {
  const configuredPath = env['DOCSHARE_PROFILE']?.trim();
  const path = configuredPath || join(out, PROFILE_FILE);
  const profile = configuredPath || existsSync(path) ? await readProfile(path) : undefined;
  printStatus(
    profile
      ? `From ${path}, learned of ${new URL(profile.service).origin} on ${profile.learned.at.slice(0, 10)}.\n`
      : `There is no ${path}: only what the API document gives is in it. \`docshare learn\` asks the service for the rest.\n`,
  );
  const paths = await writeOpenApi({ profile, folder: out });
  print(paths.map((one) => `  ${one}\n`).join(''));
  return 0;
}
