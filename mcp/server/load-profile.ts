import { CommandLineError } from '../../src/command-line.ts';
import { InputError } from '../../src/errors.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';

/**
 * Loads the profile at `DOCSHARE_PROFILE`, if set, and describes the tools by it.
 * @throws CommandLineError for an invalid profile, or one of another service.
 */
export async function loadProfile(
  env: NodeJS.ProcessEnv,
): Promise<{ profile?: ServiceProfile; catalog?: readonly ToolDefinition[] }> {
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
