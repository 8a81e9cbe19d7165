import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** The records and PDFs of the sandbox's example company, in the sources and below the folder of a build. */
export const EXAMPLE_FILES = 'sandbox/demo-data/example-files';

/** Copies them beside the files of a bundle, where `sandbox/demo-data/example-file.ts` looks for them. */
export function copyExampleFiles({ built, into }: { built: string; into: string }): void {
  cpSync(join(built, EXAMPLE_FILES), join(into, 'example-files'), { recursive: true });
}
