import type { PlainInputField } from 'zapier-platform-core';
import {
  FORM_FIELD_NAMES,
  GATE_CONTAINERS,
  GATES,
  LINK_LIMIT_PATTERN,
  OFF_VALUE_PATTERN,
  ON_VALUE_PATTERN,
  RECORD_FIELDS,
} from '../../src/assumptions/index.ts';
import {
  InputError,
  includesName,
  isObject,
  type JsonObject,
  normalizeName,
  toSnakeCase,
} from '../platform/client-core.ts';
import { isBlank, NO_VALUE } from '../platform/step-input.ts';
import { collectExtraFields, parseBoolean } from './form-fields.ts';
import { parseDateTime, requireFuture } from './parse-date.ts';
import { parseDecimal, parsePositiveInteger } from './parse-number.ts';

/** Condition for opening a link; the API document names only `email` (§2). */
export type Gate = 'email' | keyof typeof GATES;

const FIELDS = {
  password: {
    group: 'gate',
    label: 'Password',
    type: 'string',
    help: 'Visitors must enter this password to open the link.',
  },
  nda: {
    group: 'gate',
    label: 'Require NDA',
    type: 'boolean',
    help: 'Choose Yes if visitors must accept your NDA to open the link.',
  },
  download: { group: 'gate', label: 'Allow Download', type: 'boolean', help: 'Choose No to block downloads.' },
  expiry: {
    group: 'expiry',
    label: 'Expires At',
    type: 'datetime',
    help: 'The link stops working at this time. A date without a time means the end of that day in your Zapier time zone.',
  },
  visitors: { group: 'expiry', label: 'Maximum Visitors', type: 'integer', help: 'How many people can open the link.' },
} as const satisfies Record<
  keyof typeof GATES,
  { group: string; label: string; type: PlainInputField['type']; help: string }
>;

const EMAIL_LABEL = 'Require Email';
const GATE_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Gate fields of a form; `emptyMeaning` explains an empty field. */
export function createGateFields({
  emptyMeaning,
  email = {},
}: {
  emptyMeaning: string;
  email?: Partial<PlainInputField>;
}): PlainInputField[] {
  return [
    {
      key: 'email_required',
      label: EMAIL_LABEL,
      type: 'boolean',
      required: false,
      group: 'gate',
      helpText: `Visitors must enter their email address to open the link, so you know who viewed it. ${emptyMeaning}`,
      ...email,
    },
    ...GATE_NAMES.map((gate) => {
      const { group, label, type, help } = FIELDS[gate];
      return { key: `gate_${gate}`, label, type, required: false, group, helpText: `${help} ${emptyMeaning}` };
    }),
  ];
}

/** API names of the fields that the form of a link has. */
export const LINK_FIELD_NAMES: readonly string[] = [
  ...FORM_FIELD_NAMES.link,
  ...RECORD_FIELDS.emailRequired,
  ...Object.values(GATES).flatMap((gate) => [...gate.names, ...('readNames' in gate ? gate.readNames : [])]),
];

/** Setting that the form requests and the link must show afterwards. */
export interface RequestedSetting {
  /** Undefined for a boolean setting, a limit or a state that is not a known gate. */
  readonly gate: Gate | undefined;
  readonly value: unknown;
  /** Label of the form's field, or the name in Additional Fields. */
  readonly label: string;
  /** API name. */
  readonly name: string;
}

export interface LinkForm {
  readonly body: JsonObject;
  readonly settings: readonly RequestedSetting[];
}

/**
 * Parses the gates of a form from its own fields, learned fields and Additional Fields (which win). The names come from
 * `examples`, existing links (§2 shows none).
 * @throws InputError for a value that can't be read: a gate must not be lost.
 */
export function parseGates(
  input: JsonObject,
  { zone, examples }: { zone: string; examples: readonly JsonObject[] },
): LinkForm {
  const { extra, ...fields } = collectExtraFields(input);
  const extraFields: JsonObject = { ...fields, ...extra };
  // A link may have its gates one level down: `{settings: {password: …}}`.
  const namedValues = Object.entries(extraFields).flatMap(([name, value]) =>
    isObject(value) && includesName(GATE_CONTAINERS, name)
      ? Object.entries(value).map(([inner, entry]): [string, unknown] => [`${name}.${inner}`, entry])
      : [[name, value] as [string, unknown]],
  );
  const extraSettings = namedValues.flatMap(([name, rawValue]): RequestedSetting[] => {
    const gate = findGate(name);
    if (gate !== undefined)
      return rawValue === undefined ? [] : [{ gate, value: parseExtraValue(gate, rawValue, name), label: name, name }];
    return typeof rawValue === 'boolean' || isLimit(name, rawValue) || includesName(RECORD_FIELDS.status, name)
      ? [{ gate, value: rawValue, label: name, name }]
      : [];
  });
  const extraGates = new Set(extraSettings.map(({ gate }) => gate));
  const formSettings = parseFormSettings(input, zone)
    .filter(({ gate }) => !extraGates.has(gate))
    .map((setting) => ({ ...setting, name: chooseFieldName(setting.gate, examples) }));
  const parsedExtras = Object.fromEntries(extraSettings.map(({ name, value }) => [name, value]));
  return {
    body: {
      ...Object.fromEntries(formSettings.map(({ name, value }) => [name, value])),
      ...fields,
      ...pick(parsedExtras, Object.keys(fields)),
      ...(extra && { extra: { ...extra, ...pick(parsedExtras, Object.keys(extra)) } }),
    },
    settings: [...formSettings, ...extraSettings],
  };
}

/** True for a text, number or list in a field that limits who can open a link, how often or how long; "yes" is a switch. */
export function isLimit(name: string, value: unknown): boolean {
  const text = isObject(value) ? '' : [value].flat().join();
  const isSwitch = /\D/.test(text) && (ON_VALUE_PATTERN.test(text) || OFF_VALUE_PATTERN.test(text));
  return text !== '' && !isSwitch && LINK_LIMIT_PATTERN.test(toOwnName(name));
}

/** True if the form has a gate whose API name only existing links show. */
export function hasGateInput(input: JsonObject): boolean {
  return GATE_NAMES.some((gate) => input[`gate_${gate}`] !== undefined);
}

function parseFormSettings(input: JsonObject, zone: string): (Omit<RequestedSetting, 'name'> & { gate: Gate })[] {
  const getInput = (gate: Gate) => input[`gate_${gate}`];
  const { label } = FIELDS.expiry;
  const expiry = parseDateTime(getInput('expiry'), { label, zone });
  if (expiry !== undefined) requireFuture(expiry, label);
  const password = getInput('password');
  if (password !== undefined && (isBlank(password) || NO_VALUE.test(String(password).trim())))
    throw new InputError(
      `"${String(password).slice(0, 20)}" is not a password. Enter one in the field "${FIELDS.password.label}", or leave the field empty.`,
    );
  const values: Record<Gate, unknown> = {
    email: parseBoolean(input['email_required'], EMAIL_LABEL),
    password: password === undefined ? undefined : String(password),
    nda: parseBoolean(getInput('nda'), FIELDS.nda.label),
    download: parseBoolean(getInput('download'), FIELDS.download.label),
    expiry,
    visitors: parsePositiveInteger(getInput('visitors'), FIELDS.visitors.label),
  };
  return (Object.entries(values) as [Gate, unknown][])
    .filter(([, value]) => value !== undefined)
    .map(([gate, value]) => ({ gate, value, label: gate === 'email' ? EMAIL_LABEL : FIELDS[gate].label }));
}

/** Parses a gate in Additional Fields like the gate's own field. */
function parseExtraValue(gate: Gate, rawValue: unknown, name: string): unknown {
  if (typeof rawValue !== 'string') return rawValue;
  if (gate === 'nda' || gate === 'download' || gate === 'email') return parseBoolean(rawValue, name) ?? rawValue;
  return gate === 'visitors' ? (parseDecimal(rawValue, name) ?? rawValue) : rawValue;
}

export function getGateFieldNames(gate: Gate): readonly string[] {
  return gate === 'email' ? RECORD_FIELDS.emailRequired : GATES[gate].names;
}

/** `settings.maxViews` as `max_views`. */
function toOwnName(name: string): string {
  return toSnakeCase(name.split('.').at(-1) ?? name);
}

function findGate(name: string): Gate | undefined {
  const plainFieldName = normalizeName(toOwnName(name));
  const gates: readonly Gate[] = ['email', ...GATE_NAMES];
  return gates.find((gate) =>
    getGateFieldNames(gate).some((gateFieldName) => normalizeName(gateFieldName) === plainFieldName),
  );
}

/** Name that existing links show, or else the likeliest. */
function chooseFieldName(gate: Gate, examples: readonly JsonObject[]): string {
  const [first = gate, ...otherNames] = getGateFieldNames(gate);
  // Documented (§2).
  if (gate === 'email') return first;
  const plainNames = [first, ...otherNames].map(normalizeName);
  const shown = examples.flatMap(Object.keys).find((key) => plainNames.includes(normalizeName(key)));
  return shown ?? first;
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]));
}
