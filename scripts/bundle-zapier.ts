import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { ServiceProfile } from '../src/profile/service-profile.ts';
import { createAppProfile } from '../zapier/fields/create-app-profile.ts';
import { englishOnly } from './english-only.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles the Zapier app with the client: Zapier installs only the app's own dependencies. With a profile the app shows
 * the service's own fields; the bundle contains nothing else of the profile.
 */
export async function bundleZapier({
  outfile,
  profile,
}: {
  outfile: string;
  profile?: ServiceProfile | undefined;
}): Promise<void> {
  await build({
    // By default esbuild uses the folder where the process was started.
    absWorkingDir: root,
    entryPoints: ['zapier/index.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    external: ['zapier-platform-core'],
    plugins: profile ? [englishOnly, createProfilePlugin(profile)] : [englishOnly],
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** Replaces `zapier/platform/app-profile.ts`. The double encoding keeps names from ending the string. */
function createProfilePlugin(profile: ServiceProfile): Plugin {
  const text = JSON.stringify(JSON.stringify(createAppProfile(profile)));
  return {
    name: 'app-profile',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/]zapier[\\/]platform[\\/]app-profile\.ts$/ }, () => ({
        contents: `export const appProfile = JSON.parse(${text});`,
      })),
  };
}
