import { findTypo } from '../did-you-mean.ts';
import { InputError } from '../errors.ts';
import { isFilePart } from '../operations/documents.ts';
import type { NamedOperation } from '../operations/index.ts';

/** Snapshot of an input at the time of the call: plain data without undefined fields. */
export interface RequestInput {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Sent under any name, unchecked. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Deeper than any service accepts, but safe for the stack. */
const MAX_DEPTH = 100;

/**
 * Reads an input before anything is sent.
 * @throws InputError for values that can't be sent, and for a field that is one typo away from a documented
 * one: a typo must not drop a gate. Fields under `extra` may have any name.
 */
export function parseInput({ name, operation }: NamedOperation, input: unknown): RequestInput {
  const { extra, ...fields } = readObject(input === undefined ? {} : input, {
    operationName: name,
    label: 'the input',
    files: operation.bodyEncoding === 'multipart',
  });
  // A misspelled `extra` would be sent as a field, with the gates inside it.
  for (const field of Object.keys(fields)) {
    if (Object.hasOwn(operation.input.shape, field)) continue;
    const suggestion = findTypo(field, [...Object.keys(operation.input.shape), 'extra']);
    if (suggestion !== undefined)
      throw new InputError(
        `${name}: unknown field ${quoteField(field)}; did you mean ${suggestion}? If the service has a field of this name, pass it as extra: { ${quoteField(field)}: … }.`,
        { problem: { code: 'unknown_field', operation: name, field, suggestion } },
      );
  }
  if (extra === undefined) return { fields, extra: {} };
  if (!isPlain(extra))
    throw new InputError(
      `${name}: extra must be an object of additional fields, not ${describeType(extra)}. If the service has a field named extra, pass it as extra: { extra: … }.`,
    );
  const duplicateField = Object.keys(extra).find(
    (field) => Object.hasOwn(fields, field) && !isInPath(operation.route, field),
  );
  if (duplicateField !== undefined)
    throw new InputError(`${name}: ${quoteField(duplicateField)} is set both in extra and beside it. Set it once.`);
  return { fields, extra };
}

function isInPath(route: string, field: string): boolean {
  return route.includes(`{${field}}`);
}

/** Copies and checks the body of a raw request. @throws InputError as above. */
export function copyBody(operationName: string, body: unknown): unknown {
  // One level down, so bigint IDs are not allowed.
  return readSafely({ operationName, label: 'the body' }, (position) =>
    copyValue(body, { ...position, ancestors: [{}] }),
  );
}

interface InputPosition {
  readonly operationName: string;
  /** Path in the input. */
  readonly label: string;
  readonly files?: boolean;
}

/** @throws InputError also if a getter of the caller's object throws. */
function readObject(value: unknown, position: InputPosition): Record<string, unknown> {
  if (!readSafely(position, () => isPlain(value)))
    throw new InputError(
      `${position.operationName}: ${position.label} must be an object of fields, such as { id: '…' }, not ${describeType(value)}.`,
    );
  return readSafely(position, () => copyObject(Object(value), { ...position, ancestors: [Object(value)] }));
}

function readSafely<Result>(position: InputPosition, read: (position: InputPosition) => Result): Result {
  try {
    return read(position);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${position.operationName}: ${position.label} could not be read (see \`cause\`).`, {
      cause: error,
    });
  }
}

/** Copies a value, so later changes have no effect, and checks that JSON can hold it. */
function copyValue(value: unknown, position: InputPosition & { ancestors: readonly object[] }): unknown {
  const { operationName, label, ancestors, files } = position;
  const createError = (reason: string) => new InputError(`${operationName}: ${label} ${reason}.`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // A top-level bigint may be an ID.
  if (typeof value === 'bigint' && ancestors.length === 1) return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw createError(`is ${value}, which can't be sent`);
    return value;
  }
  if (typeof value !== 'object') throw createError(`is ${describeType(value)}, which can't be sent`);
  if (files && isFilePart(value)) return value;
  if (ancestors.includes(value)) throw createError('contains itself');
  if (ancestors.length >= MAX_DEPTH) throw createError(`is nested deeper than ${MAX_DEPTH} levels`);
  const innerPosition = { ...position, ancestors: [...ancestors, value] };
  if (Array.isArray(value))
    return value.map((entry: unknown, index) => {
      if (entry === undefined) throw createError(`contains undefined at ${index}`);
      return copyValue(entry, { ...innerPosition, label: `${label}[${index}]` });
    });
  if (value instanceof Date && Number.isNaN(value.getTime())) throw createError('is an invalid date');
  // Buffers have toJSON too, which would list every byte.
  if ('toJSON' in value && typeof value.toJSON === 'function' && !ArrayBuffer.isView(value))
    return copyValue(value.toJSON(), innerPosition);
  if (!isPlain(value)) throw createError(`is ${describeType(value)}, which can't be sent`);
  return copyObject(value, innerPosition);
}

function copyObject(
  value: object,
  position: InputPosition & { ancestors: readonly object[] },
): Record<string, unknown> {
  // Unlike an assignment, this keeps a field named __proto__.
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, inner]) => {
      if (inner === undefined) return [];
      const label = position.label === 'the input' ? quoteField(field) : `${position.label}.${quoteField(field)}`;
      return [[field, copyValue(inner, { ...position, label })]];
    }),
  );
}

/** Literals and instances of custom classes; no array, date, map, promise or the like. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'an array';
  return `a ${Object.prototype.toString.call(value).slice(8, -1).slice(0, 40)}`;
}

function quoteField(field: string): string {
  const shortened = field.length > 60 ? `${field.slice(0, 60)}…` : field;
  return /^[\w$-]+$/.test(field) ? shortened : JSON.stringify(shortened);
}
