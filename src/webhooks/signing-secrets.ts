import { InputError } from '../errors.ts';

/**
 * Every secret that may have signed, trimmed.
 * @throws InputError for an empty one: any forger holds it.
 */
export function parseSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat().map((one: unknown) => (typeof one === 'string' ? one.trim() : ''));
  // `whsec_` alone is an empty secret in its usual wrapping.
  if (secrets.length === 0 || secrets.some((one) => /^(?:whsec_)?=*$/.test(one)))
    throw new InputError(
      'The signing secret is empty: give the secret of the webhook registration, or none to read events unchecked.',
    );
  return secrets;
}

/** The keys that a secret may mean, the likelier first: base64 after its `whsec_` prefix, or as it stands. */
export function getSecretKeys(secret: string): Uint8Array[] {
  const encodedKey = secret.match(/^whsec_([A-Za-z0-9+/_-]+=*)$/)?.[1];
  const keys = [Buffer.from(encodedKey ?? '', 'base64'), Buffer.from(secret)];
  return keys.filter((key) => key.byteLength > 0);
}
