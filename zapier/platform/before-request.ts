import type { BeforeRequestMiddleware } from 'zapier-platform-core';
import { readApiKey, readBaseUrl } from './with-client.ts';

/**
 * Adds the API key to requests that Zapier makes itself (its own API request step), but only below the base URL: every
 * request of a Zap passes through here, presigned URLs too.
 */
export const addApiKey: BeforeRequestMiddleware = (request, _z, bundle) => {
  const apiKey = readApiKey(bundle.authData);
  if (request.middlewareData?.['hasApiKey'] || !apiKey || !isApiUrl(request.url, bundle.authData)) return request;
  const hasAuthorization = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
  return hasAuthorization
    ? request
    : { ...request, headers: { ...request.headers, authorization: `Bearer ${apiKey}` } };
};

function isApiUrl(url: string, authData: Record<string, string>): boolean {
  try {
    const target = new URL(url);
    const base = new URL(readBaseUrl(authData));
    // The origin alone is not enough: storage may share it.
    return target.origin === base.origin && `${target.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, '')}/`);
  } catch {
    return false;
  }
}
