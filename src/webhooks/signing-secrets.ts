import { InputError } from '../errors.ts';

/**
 * Returns the trimmed secrets.
 * @throws InputError for an empty secret, which any forger knows.
 */
export function parseSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat().map((one: unknown) => (typeof one === 'string' ? one.trim() : ''));
  // `whsec_` alone is an empty secret with its usual prefix.
  if (secrets.length === 0 || secrets.some((one) => /^(?:whsec_)?=*$/.test(one)))
    throw new InputError(
      'The signing secret is empty. Pass the secret of the webhook registration, or none to skip the check.',
    );
  return secrets;
}

/** Possible keys of a secret, the likelier first: base64 after the prefix `whsec_`, or the text itself. */
export function getSigningKeyCandidates(secret: string): Uint8Array[] {
  const encodedKey = secret.match(/^whsec_([A-Za-z0-9+/_-]+=*)$/)?.[1];
  const keys = [Buffer.from(encodedKey ?? '', 'base64'), Buffer.from(secret)];
  return keys.filter((key) => key.byteLength > 0);
}
