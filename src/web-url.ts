import { isLoopbackHostname } from './loopback.ts';
import { isPublicHost } from './public-address.ts';

/** A URL, or why it is rejected. Show, store and send only `url.href`: then everybody reads the same URL. */
export type WebUrl =
  | { readonly url: URL; readonly problem?: undefined }
  | { readonly url?: undefined; readonly problem: string };

/** Parsers drop these characters or read them differently: a backslash as a slash, a tab as nothing. */
const AMBIGUOUS_CHARACTER = /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u;

/**
 * Reads a web URL that a person typed or a model passed. Rejects everything that two parsers may read as different hosts.
 * `problem` is the end of a sentence that begins with the name of the field.
 */
export function parseWebUrl(text: string): WebUrl {
  const url = URL.parse(text);
  if (AMBIGUOUS_CHARACTER.test(text))
    return { problem: 'must not contain spaces, line breaks, backslashes or invisible characters' };
  // Without the slashes, parsers take a part of the path as the host, or none.
  if (!url || !/^https?:\/\/[^/?#]/i.test(text) || !/^https?:$/.test(url.protocol))
    return { problem: 'must be a web address that starts with https://' };
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text))
    return { problem: 'must not contain a user name or password' };
  return { url };
}

const MAX_WEBHOOK_URL_LENGTH = 2000;

/**
 * Reads the URL of a webhook. The service sends events there, so its host must be public, unless the service itself is on
 * this machine, as a sandbox is.
 */
export function parseWebhookUrl(text: string, serviceUrl: string): WebUrl {
  const reading = parseWebUrl(text);
  const { url } = reading;
  if (!url) return reading;
  if (url.href.length > MAX_WEBHOOK_URL_LENGTH)
    return { problem: `must not be longer than ${MAX_WEBHOOK_URL_LENGTH} characters` };
  const isLocalService = isLoopbackHostname(URL.parse(serviceUrl)?.hostname ?? '');
  return isLocalService || isPublicHost(url.hostname)
    ? reading
    : { problem: 'must be on the public internet, because the service sends events to it' };
}
