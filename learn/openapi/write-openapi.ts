import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { writeFileAtomically } from '../write/atomic-file.ts';
import { createOpenApiDocument } from './create-openapi-document.ts';
import { generateApiTypes } from './generate-api-types.ts';

export const OPENAPI_FILE = 'docshare.openapi.json';
export const TYPES_FILE = 'docshare.api.d.ts';

/**
 * Writes the OpenAPI document and the TypeScript types of a service, each atomically.
 * @returns the paths of the written files.
 * @throws InputError if the folder is not writable.
 */
export async function writeOpenApi(options: {
  profile?: ServiceProfile | undefined;
  folder: string;
}): Promise<string[]> {
  const { profile, folder } = options;
  const document = createOpenApiDocument(profile);
  return [
    await writeFileAtomically(folder, OPENAPI_FILE, `${JSON.stringify(document, null, 2)}\n`),
    await writeFileAtomically(folder, TYPES_FILE, generateApiTypes(document)),
  ];
}
