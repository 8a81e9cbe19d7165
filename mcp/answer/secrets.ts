import { isObject } from '../../src/answer/fields.ts';
import { REDACTED, redact } from '../../src/answer/redact.ts';

const SECRET_FIELD =
  /(^|[_-])(password|passcode|passphrase|secret|token|api_?key|access_?key|private_?key|credentials?|signature|sign(ing)?_(url|link))$/;

/** A field whose text is a secret by its name, in snake_case, kebab-case or camelCase. */
function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase());
}

/**
 * A copy without secrets: texts in fields whose name says so are redacted, presigned addresses left out (without their
 * signature they lead nowhere). Fields in `reveals` pass, at any depth.
 */
export function withoutSecrets(value: unknown, reveals: readonly string[], field = ''): unknown {
  if (typeof value === 'string') {
    if (reveals.includes(field)) return value;
    if (isSecretField(field) && value !== '') return REDACTED;
    if (!/[?&]|bearer|basic/i.test(value)) return value;
    const clean = redact(value);
    return clean !== value && /^https?:\/\/\S+$/.test(value) ? undefined : clean;
  }
  if (Array.isArray(value)) return value.flatMap((one) => withoutSecrets(one, reveals, field) ?? []);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const clean = withoutSecrets(inner, reveals, name);
      return clean === undefined ? [] : [[name, clean]];
    }),
  );
}
