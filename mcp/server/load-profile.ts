import { InputError } from '../../src/errors.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { CommandLineError } from './parse-command-line.ts';

export interface LoadedProfile {
  readonly profile?: ServiceProfile;
  /** The tools as the profile tells them. */
  readonly catalog?: readonly ToolDefinition[];
}

/**
 * What was learned of the service (`DOCSHARE_PROFILE`, the path of a file); nothing where it is unset, and nothing is
 * loaded for it then.
 * @throws CommandLineError for a file that is none, or of another service.
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
