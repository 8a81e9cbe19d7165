import { findTypo } from '../did-you-mean.ts';
import { InputError } from '../errors.ts';
import { isFilePart } from '../operations/documents.ts';
import type { NamedOperation } from '../operations/index.ts';

/** An input as it was when the call was made: plain data without what is undefined. */
export interface RequestInput {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Sent as they are, whatever they are called. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Deeper than anything that a service takes, and less than what the stack holds. */
const MAX_DEPTH = 100;

/**
 * Takes an input apart before anything is sent.
 * @throws InputError that names what no request can carry, and a field that is one slip away from a documented one: a gate
 * must not vanish by a typo. What stands under `extra` is sent under any name.
 */
export function parseInput({ name, operation }: NamedOperation, input: unknown): RequestInput {
  const { extra, ...fields } = readObject(input ?? {}, {
    operationName: name,
    label: 'the input',
    files: operation.bodyEncoding === 'multipart',
  });
  // What a slip in `extra` itself names would go out as a field of its own, and the gates below it with it.
  const knownFields = [...Object.keys(operation.input.shape), 'extra'];
  for (const field of Object.keys(fields)) {
    const suggestion = knownFields.includes(field) ? undefined : findTypo(field, knownFields);
    if (suggestion !== undefined)
      throw new InputError(
        `${name}: ${quoteField(field)} is no field of this call; did you mean ${suggestion}? A field that the service really calls so goes under extra: { ${quoteField(field)}: … }.`,
      );
  }
  if (extra === undefined) return { fields, extra: {} };
  if (!isPlain(extra))
    throw new InputError(
      `${name}: extra must be an object of further fields, not ${describeType(extra)}. A field that the service itself calls extra goes as extra: { extra: … }.`,
    );
  const duplicateField = Object.keys(extra).find(
    (field) => Object.hasOwn(fields, field) && !isInPath(operation.route, field),
  );
  if (duplicateField !== undefined)
    throw new InputError(
      `${name}: ${quoteField(duplicateField)} is given twice, beside extra and in it; give it once.`,
    );
  return { fields, extra };
}

function isInPath(route: string, field: string): boolean {
  return route.includes(`{${field}}`);
}

/** The body of a raw call, checked in the same way. @throws InputError as above. */
export function copyBody(operationName: string, body: unknown): unknown {
  // One level down: no id stands here that may be a bigint.
  return readSafely({ operationName, label: 'the body' }, (position) =>
    copyValue(body, { ...position, ancestors: [{}] }),
  );
}

interface InputPosition {
  readonly operationName: string;
  /** Where in the input. */
  readonly label: string;
  readonly files?: boolean;
}

/** @throws InputError also for what the caller's own code throws while it is read. */
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
    throw new InputError(
      `${position.operationName}: ${position.label} could not be read; its own code threw.`,
      {
        cause: error,
      },
    );
  }
}

/** A copy that nobody changes under way, and that JSON can carry. */
function copyValue(value: unknown, position: InputPosition & { ancestors: readonly object[] }): unknown {
  const { operationName, label, ancestors, files } = position;
  const createError = (reason: string) => new InputError(`${operationName}: ${label} ${reason}.`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // At the top it may be an id.
  if (typeof value === 'bigint' && ancestors.length === 1) return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw createError(`is ${value}, which is no number that can be sent`);
    return value;
  }
  if (typeof value !== 'object') throw createError(`is ${describeType(value)}, which can not be sent`);
  if (files && isFilePart(value)) return value;
  if (ancestors.includes(value)) throw createError('holds itself');
  if (ancestors.length >= MAX_DEPTH) throw createError(`is nested deeper than ${MAX_DEPTH} levels`);
  const innerPosition = { ...position, ancestors: [...ancestors, value] };
  if (Array.isArray(value))
    return value.map((entry: unknown, index) => {
      if (entry === undefined) throw createError(`holds undefined at ${index}`);
      return copyValue(entry, { ...innerPosition, label: `${label}[${index}]` });
    });
  if (value instanceof Date && Number.isNaN(value.getTime())) throw createError('is a date that is none');
  // A view of bytes has one too, which would spell out each of them.
  if ('toJSON' in value && typeof value.toJSON === 'function' && !ArrayBuffer.isView(value))
    return copyValue(value.toJSON(), innerPosition);
  if (!isPlain(value)) throw createError(`is ${describeType(value)}, which can not be sent`);
  return copyObject(value, innerPosition);
}

function copyObject(
  value: object,
  position: InputPosition & { ancestors: readonly object[] },
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [field, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const label =
      position.label === 'the input' ? quoteField(field) : `${position.label}.${quoteField(field)}`;
    // An assignment would take a field named __proto__ for the prototype.
    Object.defineProperty(result, field, {
      value: copyValue(inner, { ...position, label }),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

/** An object of fields: a literal, or of a class of the caller's own; no list, date, map, promise or the like. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Object]'
  );
}

const TYPE_LABELS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'true or false',
  function: 'a function',
  symbol: 'a symbol',
  undefined: 'undefined',
};

function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return TYPE_LABELS[typeof value] ?? typeof value;
  if (Array.isArray(value)) return 'a list';
  return `a ${Object.prototype.toString.call(value).slice(8, -1).slice(0, 40)}`;
}

function quoteField(field: string): string {
  const shortened = field.length > 60 ? `${field.slice(0, 60)}…` : field;
  return /^[\w$-]+$/.test(field) ? shortened : JSON.stringify(shortened);
}
