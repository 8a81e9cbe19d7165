import { readFile } from 'node:fs/promises';
import type { ExampleName } from '../state/records.ts';

/** Reads a PDF of the example company. The build copies the folder beside each bundle that holds this module. */
export function readExampleFile(name: ExampleName): Promise<Uint8Array> {
  return readFile(new URL(`./example-files/${name}.pdf`, import.meta.url));
}
