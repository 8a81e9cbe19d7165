import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the example company's records and PDFs, in the sources and in a build. */
export const EXAMPLE_FILES = 'sandbox/demo-data/example-files';

/** Copies them next to a bundle, where `sandbox/demo-data/example-file.ts` reads them; the records without white space. */
export function copyExampleFiles({ built, into }: { built: string; into: string }): void {
  const folder = join(into, 'example-files');
  cpSync(join(built, EXAMPLE_FILES), folder, { recursive: true });
  const records = join(folder, 'company.json');
  writeFileSync(records, JSON.stringify(JSON.parse(readFileSync(records, 'utf8'))));
}
