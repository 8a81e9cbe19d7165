/** The 18 scopes of a key (§5). There is no wildcard: a write scope does not include its read scope. */
export const SCOPES = [
  'documents:read',
  'documents:write',
  'links:read',
  'links:write',
  'datarooms:read',
  'datarooms:write',
  'datarooms:permissions',
  'envelopes:read',
  'envelopes:write',
  'proposals:read',
  'proposals:write',
  'templates:read',
  'templates:write',
  'contacts:read',
  'contacts:write',
  'analytics:read',
  'webhooks:write',
  'billing:read',
] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}
