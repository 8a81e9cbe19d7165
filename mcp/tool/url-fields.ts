import { isObject } from '../../src/records/fields.ts';
import { parseWebUrl } from '../../src/web-url.ts';
import { SAFE_FIELDS } from '../assumptions.ts';
import { ToolError } from '../tool-error.ts';

/** Names of fields that usually hold a URL: `redirect_url`, `callbackUri`, `webhook`. */
const URL_NAME = /(?:ur[il]s?|href|website|redirect|callback|webhooks?|hooks?|endpoints?)$/i;

/**
 * Rejects URLs in `fields` that a person could read as another URL than the service does. Fields are sent as they are given,
 * so such a URL is not rewritten.
 * @throws ToolError that names the field.
 */
export function checkUrlFields(path: string, value: unknown): void {
  if (typeof value === 'string') checkUrl(path, value);
  else if (Array.isArray(value)) for (const element of value) checkUrlFields(path, element);
  else if (isObject(value)) for (const [name, inner] of Object.entries(value)) checkUrlFields(`${path}.${name}`, inner);
}

function checkUrl(path: string, value: string): void {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const hasUrlName = URL_NAME.test(name);
  // Some parsers drop such characters before they look at the scheme.
  const compact = value.replace(/[\s\p{C}]/gu, '');
  const isWholeUrl = /^https?:/i.test(compact) && (hasUrlName || !/\S\s+\S/.test(value));
  if (SAFE_FIELDS.includes(name) || !(isWholeUrl || (hasUrlName && /^[a-z][a-z0-9+.-]*:\S/i.test(compact)))) return;
  const { url, problem } = parseWebUrl(value);
  if (!url) throw new ToolError('invalid_arguments', `${path}: ${problem}.`);
  if (!value.toLowerCase().includes(`//${url.host}`))
    throw new ToolError('invalid_arguments', `${path}: its host is ${url.host}. Write the URL as ${url.href}.`);
}
