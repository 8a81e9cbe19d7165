/** Pagination of public APIs according to their documentation: the formats of their responses, with 57 entries. */
import type { PublicApi } from './public-api.ts';
import { BY_CURSOR } from './public-apis-by-cursor.ts';
import { BY_NUMBER } from './public-apis-by-number.ts';

export const PUBLIC_APIS: readonly PublicApi[] = Object.entries({ ...BY_CURSOR, ...BY_NUMBER }).map(([name, row]) => ({
  name,
  ...row,
}));
