import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { ServiceProfile } from '../src/profile/service-profile.ts';
import { createAppProfile } from '../zapier/fields/create-app-profile.ts';
import { englishOnly } from './english-only.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The Zapier app as one file: Zapier installs only the app's own dependencies, so the core has to travel inside. With a
 * profile it shows the service's own fields; of the profile itself nothing else is in it.
 */
export async function bundleZapier({
  outfile,
  profile,
}: {
  outfile: string;
  profile?: ServiceProfile | undefined;
}): Promise<void> {
  await build({
    // Else the folder that the process was started in counts, wherever it has gone since.
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

/** What the build writes in the place of `zapier/platform/app-profile.ts`: its value, as text that no name can leave. */
function createProfilePlugin(profile: ServiceProfile): Plugin {
  const text = JSON.stringify(JSON.stringify(createAppProfile(profile)));
  return {
    name: 'learned',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/]zapier[\\/]learned[\\/]forms\.ts$/ }, () => ({
        contents: `export const forms = JSON.parse(${text});`,
      })),
  };
}
