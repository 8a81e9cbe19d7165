import { InputError } from '../errors.ts';
import { isFilePart } from '../operations/documents.ts';
import type { NamedOperation } from '../operations/index.ts';
import { nearName } from './near-name.ts';

/** An input as it was when the call was made: plain data without what is undefined. */
export interface Given {
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
export function takeInput({ name, operation }: NamedOperation, input: unknown): Given {
  const { extra, ...fields } = readObject(input ?? {}, {
    call: name,
    what: 'the input',
    files: operation.sends === 'multipart',
  });
  // What a slip in `extra` itself names would go out as a field of its own, and the gates below it with it.
  const known = [...Object.keys(operation.input.shape), 'extra'];
  for (const field of Object.keys(fields)) {
    const near = known.includes(field) ? undefined : nearName(field, known);
    if (near !== undefined)
      throw new InputError(
        `${name}: ${show(field)} is no field of this call; did you mean ${near}? A field that the service really calls so goes under extra: { ${show(field)}: … }.`,
      );
  }
  if (extra === undefined) return { fields, extra: {} };
  if (!isPlain(extra))
    throw new InputError(
      `${name}: extra must be an object of further fields, not ${wordFor(extra)}. A field that the service itself calls extra goes as extra: { extra: … }.`,
    );
  const twice = Object.keys(extra).find(
    (field) => Object.hasOwn(fields, field) && !isInPath(operation.route, field),
  );
  if (twice !== undefined)
    throw new InputError(`${name}: ${show(twice)} is given twice, beside extra and in it; give it once.`);
  return { fields, extra };
}

function isInPath(route: string, field: string): boolean {
  return route.includes(`{${field}}`);
}

/** The body of a raw call, checked in the same way. @throws InputError as above. */
export function takeBody(call: string, body: unknown): unknown {
  // One level down: no id stands here that may be a bigint.
  return reading({ call, what: 'the body' }, (place) => copy(body, { ...place, above: [{}] }));
}

interface Place {
  readonly call: string;
  /** Where in the input. */
  readonly what: string;
  readonly files?: boolean;
}

/** @throws InputError also for what the caller's own code throws while it is read. */
function readObject(value: unknown, place: Place): Record<string, unknown> {
  if (!reading(place, () => isPlain(value)))
    throw new InputError(
      `${place.call}: ${place.what} must be an object of fields, such as { id: '…' }, not ${wordFor(value)}.`,
    );
  return reading(place, () => copyObject(Object(value), { ...place, above: [Object(value)] }));
}

function reading<Result>(place: Place, read: (place: Place) => Result): Result {
  try {
    return read(place);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${place.call}: ${place.what} could not be read; its own code threw.`, {
      cause: error,
    });
  }
}

/** A copy that nobody changes under way, and that JSON can carry. */
function copy(value: unknown, place: Place & { above: readonly object[] }): unknown {
  const { call, what, above, files } = place;
  const refuse = (why: string) => new InputError(`${call}: ${what} ${why}.`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // At the top it may be an id.
  if (typeof value === 'bigint' && above.length === 1) return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refuse(`is ${value}, which is no number that can be sent`);
    return value;
  }
  if (typeof value !== 'object') throw refuse(`is ${wordFor(value)}, which can not be sent`);
  if (files && isFilePart(value)) return value;
  if (above.includes(value)) throw refuse('holds itself');
  if (above.length >= MAX_DEPTH) throw refuse(`is nested deeper than ${MAX_DEPTH} levels`);
  const inside = { ...place, above: [...above, value] };
  if (Array.isArray(value))
    return value.map((one: unknown, index) => {
      if (one === undefined) throw refuse(`holds undefined at ${index}`);
      return copy(one, { ...inside, what: `${what}[${index}]` });
    });
  if (value instanceof Date && Number.isNaN(value.getTime())) throw refuse('is a date that is none');
  // A view of bytes has one too, which would spell out each of them.
  if ('toJSON' in value && typeof value.toJSON === 'function' && !ArrayBuffer.isView(value))
    return copy(value.toJSON(), inside);
  if (!isPlain(value)) throw refuse(`is ${wordFor(value)}, which can not be sent`);
  return copyObject(value, inside);
}

function copyObject(value: object, place: Place & { above: readonly object[] }): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [field, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const what = place.what === 'the input' ? show(field) : `${place.what}.${show(field)}`;
    // An assignment would take a field named __proto__ for the prototype.
    Object.defineProperty(result, field, {
      value: copy(inner, { ...place, what }),
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

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'true or false',
  function: 'a function',
  symbol: 'a symbol',
  undefined: 'undefined',
};

function wordFor(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return WORDS[typeof value] ?? typeof value;
  if (Array.isArray(value)) return 'a list';
  return `a ${Object.prototype.toString.call(value).slice(8, -1).slice(0, 40)}`;
}

function show(field: string): string {
  const shown = field.length > 60 ? `${field.slice(0, 60)}…` : field;
  return /^[\w$-]+$/.test(field) ? shown : JSON.stringify(shown);
}
