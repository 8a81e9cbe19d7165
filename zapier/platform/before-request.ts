import type { BeforeRequestMiddleware } from 'zapier-platform-core';
import { readApiKey, readBaseUrl } from './with-client.ts';

/**
 * Gives the key to requests that the platform makes for the user (its own API request step), and only to the API's
 * origin: every address that a Zap asks for passes here, presigned ones too.
 */
export const addApiKey: BeforeRequestMiddleware = (request, _z, bundle) => {
  const apiKey = readApiKey(bundle.authData);
  if (request.middlewareData?.['keyed'] || !apiKey || !isApiUrl(request.url, bundle.authData)) return request;
  const hasAuthorization = Object.keys(request.headers ?? {}).some(
    (name) => name.toLowerCase() === 'authorization',
  );
  return hasAuthorization
    ? request
    : { ...request, headers: { ...request.headers, authorization: `Bearer ${apiKey}` } };
};

function isApiUrl(url: string, authData: Record<string, string>): boolean {
  try {
    const target = new URL(url);
    const base = new URL(readBaseUrl(authData));
    // Not the origin alone: storage may live beside the API.
    return (
      target.origin === base.origin &&
      `${target.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, '')}/`)
    );
  } catch {
    return false;
  }
}
