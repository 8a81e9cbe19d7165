import { InputError } from '../../src/errors.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { CommandLineError } from './parse-command-line.ts';

export interface LoadedProfile {
  readonly profile?: ServiceProfile;
  /** Tools described by the profile. */
  readonly catalog?: readonly ToolDefinition[];
}

/**
 * Loads the profile at `DOCSHARE_PROFILE`, if set.
 * @throws CommandLineError for an invalid profile, or one of another service.
 */
export async function loadProfile(env: NodeJS.ProcessEnv): Promise<LoadedProfile> {
  const path = env['DOCSHARE_PROFILE']?.trim();
  if (!path) return {};
  const baseUrl = env['DOCSHARE_BASE_URL']?.trim();
  const { readProfile } = await import('../../src/profile/read-profile.ts');
  const reading = readProfile(path, baseUrl && URL.canParse(baseUrl) ? baseUrl : undefined);
  const profile = await reading.catch((error: unknown) => {
    throw error instanceof InputError ? new CommandLineError(`DOCSHARE_PROFILE: ${error.message}`) : error;
  });
  const [{ applyProfile }, { toolDefinitions: catalog }] = await Promise.all([
    import('./apply-profile.ts'),
    import('../toolset/tool-definitions.ts'),
  ]);
  return { profile, catalog: applyProfile(catalog, profile) };
}
