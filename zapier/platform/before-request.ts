import type { BeforeRequestMiddleware } from 'zapier-platform-core';
import { readApiKey, readBaseUrl } from './client.ts';

/**
 * Gives the key to requests that the platform makes for the user (its own API request step), and only to the API's
 * origin: every address that a Zap asks for passes here, presigned ones too.
 */
export const addKey: BeforeRequestMiddleware = (request, _z, bundle) => {
  const apiKey = readApiKey(bundle.authData);
  if (request.middlewareData?.['keyed'] || !apiKey || !isOwnAddress(request.url, bundle.authData))
    return request;
  const given = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
  return given ? request : { ...request, headers: { ...request.headers, authorization: `Bearer ${apiKey}` } };
};

function isOwnAddress(url: string, authData: Record<string, string>): boolean {
  try {
    const asked = new URL(url);
    const base = new URL(readBaseUrl(authData));
    // Not the origin alone: storage may live beside the API.
    return (
      asked.origin === base.origin && `${asked.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, '')}/`)
    );
  } catch {
    return false;
  }
}
