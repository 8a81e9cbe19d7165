import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleZapier } from '../../scripts/bundle-zapier.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { type Definition, easePlatform, type Handler, type LoadedApp } from './zapier-lambda.ts';

easePlatform(import.meta.url);
const platform = createRequire(import.meta.url)('zapier-platform-core') as { createAppHandler(app: object): Handler };

export interface BuiltApp extends LoadedApp {
  /** The bundle's own text. */
  readonly path: string;
  close(): void;
}

/** The app as it is built with a profile (or without), behind the platform's handler. */
export async function buildApp(profile?: ServiceProfile): Promise<BuiltApp> {
  // The bundle resolves the platform from here.
  const folder = mkdtempSync(join(fileURLToPath(new URL('../../node_modules', import.meta.url)), '.docshare-zapier-'));
  const path = join(folder, 'index.mjs');
  await bundleZapier({ outfile: path, profile });
  const { default: app } = await import(pathToFileURL(path).href);
  const handler = platform.createAppHandler(app);
  const { results } = await handler({ command: 'definition' });
  return { handler, definition: results as Definition, path, close: () => rmSync(folder, { recursive: true }) };
}
