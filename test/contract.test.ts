/** The document's own tables, typed by hand: nothing below is computed from the code under test. */
import { expect, test } from 'vitest';
import { operations, SCOPES } from '../src/index.ts';

// §4: method and path. Scope: §5 where it is given (marked), the reading in src/assumptions/index.ts elsewhere.
const ROWS = `
GET /documents documents:read
POST /documents documents:write
GET /documents/{id} documents:read
GET /documents/{id}/pages documents:read
POST /documents/uploads documents:write given
POST /documents/uploads/finalize documents:write given
GET /links links:read
POST /links links:write
PATCH /links/{id} links:write
DELETE /links/{id} links:write
GET /rooms datarooms:read
POST /rooms datarooms:write
POST /rooms/{id}/folders datarooms:write
POST /rooms/{id}/files datarooms:write
POST /rooms/{id}/groups datarooms:permissions given
PUT /rooms/{id}/permissions datarooms:permissions given
GET /agreements envelopes:read
POST /agreements envelopes:write
POST /agreements/{id}/send envelopes:write
GET /agreements/{id}/document envelopes:read
GET /proposals proposals:read
POST /proposals proposals:write
POST /proposals/{id}/send proposals:write
GET /templates templates:read
GET /templates/{id} templates:read
POST /templates templates:write
PATCH /templates/{id} templates:write
DELETE /templates/{id} templates:write
GET /contacts contacts:read
POST /contacts contacts:write
PATCH /contacts/{id} contacts:write
POST /contacts/{id}/tags contacts:write
GET /analytics/links/{id} analytics:read given
GET /analytics/links/{id}/visitors analytics:read given
GET /analytics/visits/{id} analytics:read given
GET /analytics/rooms/{id} analytics:read given
POST /webhooks webhooks:write given
GET /webhooks webhooks:write given
DELETE /webhooks/{id} webhooks:write given
GET /billing/subscription billing:read given
GET /billing/invoices billing:read given
GET /billing/usage billing:read given
`;

const SCOPES_OF_THE_DOCUMENT = `
documents:read documents:write links:read links:write
datarooms:read datarooms:write datarooms:permissions
envelopes:read envelopes:write proposals:read proposals:write
templates:read templates:write contacts:read contacts:write
analytics:read webhooks:write billing:read
`;

const rows = ROWS.trim().split('\n');

test('the catalog has the 42 operations of the API document, each with its scope', () => {
  const typed = rows.map((row) => row.replace(/ given$/, ''));
  expect(typed).toHaveLength(42);
  expect(operations.map(({ operation }) => `${operation.route} ${operation.scope}`).sort()).toEqual(typed.sort());
});

test('the 18 scopes are those of the document', () => {
  const typed = SCOPES_OF_THE_DOCUMENT.trim().split(/\s+/);
  expect(typed).toHaveLength(18);
  expect([...SCOPES]).toEqual(typed);
});
