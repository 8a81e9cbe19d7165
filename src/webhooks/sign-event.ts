import { createHmac, randomUUID } from 'node:crypto';
import { DEFAULT_SIGNATURE_HEADERS } from '../assumptions/index.ts';
import { checkOptionNames } from '../option-names.ts';
import { getSigningKeyCandidates, parseSecrets } from './signing-secrets.ts';

export interface SignEventOptions {
  readonly secret: string;
  /**
   * `standard`: Standard Webhooks; `svix`: the same with older header names; `timed`: `t=…,v1=…`; `plain`:
   * `sha256=…`; `hex` and `base64`: the digest alone. Default: `standard`.
   */
  readonly scheme?: 'standard' | 'svix' | 'timed' | 'plain' | 'hex' | 'base64';
  /** Header name for the last four schemes. */
  readonly header?: string;
  /** ID of the delivery. Default: random. */
  readonly id?: string;
  /** Signing time. Default: now. */
  readonly time?: Date;
}

/**
 * Creates a signed delivery to test a webhook receiver: parse it with `parseEvent`, or post it.
 * @param event sent as JSON; a string is sent unchanged.
 * @throws InputError for an empty secret.
 */
export function signEvent(
  event: unknown,
  options: SignEventOptions,
): { body: string; headers: Record<string, string> } {
  checkOptionNames('signEvent', options, { secret: true, scheme: true, header: true, id: true, time: true });
  const { scheme = 'standard', id = `msg_${randomUUID()}`, time = new Date() } = options;
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const timestamp = String(Math.floor(time.getTime() / 1000));
  const [secret = ''] = parseSecrets(options.secret);
  const isStandard = scheme === 'standard' || scheme === 'svix';
  // Only Standard Webhooks encodes its secrets; the others use the text as is, with its prefix.
  const key = isStandard ? (getSigningKeyCandidates(secret)[0] ?? '') : secret;
  const digest = (content: string) => createHmac('sha256', key).update(content);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (isStandard) {
    const prefix = scheme === 'svix' ? 'svix' : 'webhook';
    headers[`${prefix}-id`] = id;
    headers[`${prefix}-timestamp`] = timestamp;
    headers[`${prefix}-signature`] = `v1,${digest(`${id}.${timestamp}.${body}`).digest('base64')}`;
    return { body, headers };
  }
  const { header = DEFAULT_SIGNATURE_HEADERS[scheme === 'timed' ? 'timed' : 'plain'] } = options;
  headers[header] =
    scheme === 'timed'
      ? `t=${timestamp},v1=${digest(`${timestamp}.${body}`).digest('hex')}`
      : `${scheme === 'plain' ? 'sha256=' : ''}${digest(body).digest(scheme === 'base64' ? 'base64' : 'hex')}`;
  return { body, headers };
}
