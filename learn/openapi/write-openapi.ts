import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { writeFileAtomically } from '../write/atomic-file.ts';
import { createOpenApiDocument } from './create-openapi-document.ts';
import { generateApiTypes } from './generate-api-types.ts';

export const OPENAPI_FILE = 'docshare.openapi.json';
export const TYPES_FILE = 'docshare.api.d.ts';

/**
 * Writes the OpenAPI document and the TypeScript types of a service, each whole or not at all; without a profile of what the
 * API document gives alone.
 * @returns the paths of what was written.
 * @throws InputError where the folder can't be written to.
 */
export async function writeOpenApi({
  profile,
  folder,
}: {
  profile?: ServiceProfile | undefined;
  folder: string;
}): Promise<string[]> {
  const document = createOpenApiDocument(profile);
  return [
    await writeFileAtomically(folder, OPENAPI_FILE, `${JSON.stringify(document, null, 2)}\n`),
    await writeFileAtomically(folder, TYPES_FILE, generateApiTypes(document)),
  ];
}
