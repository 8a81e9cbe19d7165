import { z } from 'zod';
import { MAX_TIMESTAMP } from '../base/clock.ts';
import { isObject } from '../base/is-object.ts';
import { type FieldError, Rejection } from '../base/rejection.ts';
import type { CustomFields } from '../state/records.ts';

type KnownFields<S extends z.ZodObject> = z.infer<S>;

/**
 * Parses the known fields of a body, in snake_case or camelCase, and keeps the others as sent.
 *
 * @throws Rejection `badBody` that names each missing or invalid field
 */
export function parseBody<S extends z.ZodObject>(
  schema: S,
  body: unknown,
): { known: KnownFields<S>; custom: CustomFields } {
  const known: CustomFields = {};
  const custom: CustomFields = {};
  for (const [name, value] of Object.entries(asObject(body))) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
    if (Object.hasOwn(schema.shape, name)) known[name] = value;
    else if (Object.hasOwn(schema.shape, snake) && !(snake in asObject(body))) known[snake] = value;
    else if (name !== 'id') custom[name] = value;
  }
  const parsed = schema.safeParse(known);
  if (parsed.success) return { known: parsed.data as KnownFields<S>, custom };
  const details = parsed.error.issues.map((issue): FieldError => {
    const field = issue.path.join('.');
    const missing = issue.code === 'invalid_type' && !(String(issue.path[0]) in known);
    return { field, message: missing ? 'is required' : issue.message };
  });
  throw createFieldRejection(details);
}

export function createFieldRejection(details: readonly FieldError[]): Rejection {
  const text = details.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ');
  return new Rejection('badBody', `The request body is not valid. ${text}`, details);
}

/** An empty body counts as one without fields. */
function asObject(body: unknown): CustomFields {
  if (body === undefined) return {};
  if (!isObject(body)) throw createFieldRejection([{ field: '', message: 'It must be a JSON object' }]);
  return body;
}

/** Ids may be numbers, because some profiles use numeric ids. */
export const Reference = z.union([z.string().min(1), z.int()]).transform(String);

/** A time as ISO 8601 text or epoch seconds or milliseconds, parsed to epoch ms. */
export const Time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), z.number()])
  .transform((value) => (typeof value === 'number' ? fromEpoch(value) : Date.parse(value)))
  .refine((at) => at >= 0 && at <= MAX_TIMESTAMP, 'must be a time between the years 1970 and 9998');

/** An email address, validated loosely. */
export const Email = z.string().regex(/^[^@\s]+@[^@\s]+$/, 'must be an email address');

/** Epoch seconds of this century are below this value, epoch ms above it. */
function fromEpoch(value: number): number {
  return value < 100_000_000_000 ? value * 1000 : value;
}
