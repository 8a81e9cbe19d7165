import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the example company's records and PDFs, in the sources and in a build. */
export const EXAMPLE_FILES = 'sandbox/demo-data/example-files';

/** Copies them next to a bundle, where `sandbox/demo-data/example-file.ts` reads them. */
export function copyExampleFiles({ built, into }: { built: string; into: string }): void {
  cpSync(join(built, EXAMPLE_FILES), join(into, 'example-files'), { recursive: true });
}
