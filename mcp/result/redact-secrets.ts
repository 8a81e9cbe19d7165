import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { memoizeByName } from '../../src/records/memoize-by-name.ts';
import { REDACTED, redact, redactSecrets as replaceSecrets } from '../../src/redact/redact.ts';

const SECRET_FIELD =
  /(^|[_-])(password|passcode|passphrase|pin|otp|jwt|cookies?|authorization|secrets?|token|(api|access|private|secret|sign(ing|ature)?|webhook|hmac|shared|encryption)_?key|hmac|credentials?|signature)$/;
/** Lets anyone sign as another: codes (`accessCode` of DocuSign) and addresses (`shared_link` of a PandaDoc recipient). */
const SIGNER_SECRET = /(^|[_-])((pin|access|verification)_?code|sign(ing|ature)?(_page)?_(url|link)|shared_link)$/;

/** Returns whether a field holds a secret by its name, in snake_case, kebab-case or camelCase. */
export const isSecretField = memoizeByName((name) => {
  const snakeCase = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return SECRET_FIELD.test(snakeCase) || SIGNER_SECRET.test(snakeCase);
});

/**
 * Returns a value without secrets: values of secret fields are redacted, presigned URLs removed (useless without their
 * signature). `unredactedFields` are paths such as `items.url`, whose values are kept; a path skips the positions of lists.
 * Parts without secrets are not copied.
 */
export function redactSecretFields(value: JsonObject, unredactedFields?: readonly string[]): JsonObject;
export function redactSecretFields(value: unknown, unredactedFields?: readonly string[], field?: string): unknown;
export function redactSecretFields(value: unknown, unredactedFields: readonly string[] = [], field = ''): unknown {
  if (typeof value === 'string') {
    if (unredactedFields.includes('')) return value;
    // A secret URL is of no use without its secret part.
    if (isSecretField(field) && value !== '') return /^https?:\/\/\S+$/.test(value) ? undefined : REDACTED;
    if (!/[?&]|:\/\/[^\s/]*@|%3f|bearer|basic|whsec_/i.test(value)) return value;
    const clean = redact(value);
    return clean !== value && /^https?:\/\/\S+$/.test(value) ? undefined : clean;
  }
  if (Array.isArray(value))
    return value.flatMap((element) => redactSecretFields(element, unredactedFields, field) ?? []);
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const unredacted = unredactedFields.length === 0 ? unredactedFields : getInnerPaths(unredactedFields, name);
    // All of `secret: {value}` is secret, unlike `signature: {status}`.
    const clean = redactSecretFields(value[name], unredacted, /secrets?$/i.test(field) ? field : name);
    if (clean === value[name]) continue;
    copy ??= { ...value };
    if (clean === undefined) delete copy[name];
    else copy[name] = clean;
  }
  return copy ?? value;
}

/** Returns the paths inside a field; the path of the field itself becomes empty. */
function getInnerPaths(paths: readonly string[], name: string): readonly string[] {
  return paths.flatMap((path) => (path === name ? '' : path.startsWith(`${name}.`) ? path.slice(name.length + 1) : []));
}

/** Copies a value without the given secrets, whatever the field: a service may quote the key. */
export function redactSecretValues(value: unknown, secrets: readonly string[]): unknown {
  // Short ones are not keys; replacing them would corrupt other text.
  const keys = secrets.every(isLongEnough) ? secrets : secrets.filter(isLongEnough);
  if (keys.length === 0) return value;
  if (typeof value === 'string') return replaceSecrets(value, keys);
  if (Array.isArray(value)) return value.map((element) => redactSecretValues(element, keys));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [replaceSecrets(name, keys), redactSecretValues(inner, keys)]),
  );
}

function isLongEnough(key: string): boolean {
  return key.length >= 8;
}

/** Fields of a resource that are never redacted: a link's own url, whatever its query (§2). */
export function getUnredactedFields(resource: string | undefined): readonly string[] {
  return resource === 'link' ? ['url'] : [];
}
