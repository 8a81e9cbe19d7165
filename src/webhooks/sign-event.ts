import { createHmac, randomUUID } from 'node:crypto';
import { DEFAULT_SIGNATURE_HEADERS } from '../assumptions/index.ts';
import { getSecretKeys, parseSecrets } from './signing-secrets.ts';

export interface SignEventOptions {
  readonly secret: string;
  /**
   * `standard`: Standard Webhooks; `svix`: the same under its older names; `timed`: `t=…,v1=…`; `plain`: `sha256=…`;
   * `hex` and `base64`: the bare digest. `standard` unless told.
   */
  readonly scheme?: 'standard' | 'svix' | 'timed' | 'plain' | 'hex' | 'base64';
  /** Header of the schemes that have no header of their own: the last four. */
  readonly header?: string;
  /** Id of the delivery; a new one unless told. */
  readonly id?: string;
  /** When it was signed; now unless told. */
  readonly time?: Date;
}

/**
 * Makes a signed delivery, for tests of a webhook receiver: what comes back can be handed to `parseEvent` or posted.
 * @param event sent as JSON; a text is sent exactly as it is.
 * @throws InputError for an empty secret.
 */
export function signEvent(
  event: unknown,
  options: SignEventOptions,
): { body: string; headers: Record<string, string> } {
  const { scheme = 'standard', id = `msg_${randomUUID()}`, time = new Date() } = options;
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const timestamp = String(Math.floor(time.getTime() / 1000));
  const [secret = ''] = parseSecrets(options.secret);
  const isStandard = scheme === 'standard' || scheme === 'svix';
  // Only Standard Webhooks codes its secrets; the others sign with the text as it stands, prefix and all.
  const key = isStandard ? (getSecretKeys(secret)[0] ?? '') : secret;
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
