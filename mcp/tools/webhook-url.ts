import { isIP } from 'node:net';
import { isLoopbackName } from '../../src/loopback.ts';
import { isPublicAddress } from '../files/public-address.ts';
import { ToolError } from '../tool-error.ts';

/**
 * Requires a URL that is sent exactly as it is shown: parsers disagree about backslashes, user names and control
 * characters, so the text must be the URL's normal form. Private addresses are refused unless the service is local too.
 * @throws ToolError
 */
export function checkWebhookUrl(text: string, { baseUrl }: { baseUrl: string }): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ToolError('invalid_arguments', 'url: must be a web address, such as https://example.com/hook.');
  if (url.username !== '' || url.password !== '')
    throw new ToolError('invalid_arguments', 'url: must not contain a user name or password.');
  if (text !== url.href && `${text}/` !== url.href)
    throw new ToolError('invalid_arguments', `url: must be in its normal form. Did you mean ${url.href}?`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isLoopbackName(url.hostname) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (isPrivate && !isLoopbackName(new URL(baseUrl).hostname))
    throw new ToolError('invalid_arguments', 'url: must be on the public internet, so that the service can reach it.');
}
