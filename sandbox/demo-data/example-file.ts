import { readFile } from 'node:fs/promises';

/** Reads a demo PDF. The build copies the folder next to each bundle that contains this module. */
export function readExampleFile(name: string): Promise<Uint8Array> {
  return readFile(new URL(`./example-files/${name}.pdf`, import.meta.url));
}
