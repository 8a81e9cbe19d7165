import type { PlainInputField } from 'zapier-platform-core';
import { FORM_FIELD_NAMES, GATES, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { InputError, isObject, type JsonObject, normalizeName } from '../platform/client-core.ts';
import { collectExtraFields, parseBoolean } from './form-fields.ts';
import { parseDateTime, toSnakeCase } from './parse-date.ts';
import { parseDecimal, parsePositiveInteger } from './parse-number.ts';

/** What may stand between a visitor and what a link opens; the document names the first alone (§2). */
export type Gate = 'email' | keyof typeof GATES;

const FIELDS = {
  password: {
    group: 'gate',
    label: 'Password',
    type: 'string',
    help: 'Visitors enter it before they see anything.',
  },
  nda: {
    group: 'gate',
    label: 'Ask for an NDA',
    type: 'boolean',
    help: 'Visitors accept your NDA before they see anything.',
  },
  download: {
    group: 'gate',
    label: 'Allow Download',
    type: 'boolean',
    help: 'No keeps visitors from taking the file with them.',
  },
  expiry: {
    group: 'expiry',
    label: 'Expires At',
    type: 'datetime',
    help: 'From then on the link opens nothing. A day without a clock counts to its end, in the time zone of your Zapier account.',
  },
  visitors: {
    group: 'expiry',
    label: 'Most Visitors',
    type: 'integer',
    help: 'How many people may open the link.',
  },
} as const satisfies Record<
  keyof typeof GATES,
  { group: string; label: string; type: PlainInputField['type']; help: string }
>;

const EMAIL_LABEL = 'Ask for an Email';
const GATE_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** The gates of a form; `emptyMeaning` says what an empty field means. */
export function gateFields({
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
      helpText: 'Visitors give their e-mail address before they see the document, so you know who looked.',
      ...email,
    },
    ...GATE_NAMES.map((gate) => {
      const { group, label, type, help } = FIELDS[gate];
      return {
        key: `gate_${gate}`,
        label,
        type,
        required: false,
        group,
        helpText: `${help} ${emptyMeaning}`,
      };
    }),
  ];
}

/** Names of a link's fields that the form has already: none of them is offered a second time. */
export const LINK_FIELD_NAMES: readonly string[] = [
  ...FORM_FIELD_NAMES.link,
  ...RECORD_FIELDS.emailRequired,
  ...Object.values(GATES).flatMap((gate) => [...gate.names, ...('readNames' in gate ? gate.readNames : [])]),
];

/** One thing that a form asks of a link, as the record has to show it afterwards. */
export interface RequestedSetting {
  /** Undefined for a yes or no that is no gate known here. */
  readonly gate: Gate | undefined;
  readonly value: unknown;
  /** What a person calls it: the label of its field, or the name under Additional Fields. */
  readonly label: string;
  /** The name of the field that carries it. */
  readonly name: string;
}

export interface LinkForm {
  /** The fields of the form, gates and all else. */
  readonly body: JsonObject;
  readonly settings: readonly RequestedSetting[];
}

/**
 * The gates of a form, wherever they were filled in: its own fields, learned ones, Additional Fields (which win).
 * `examples` are records of links, for the names of the fields (§2 shows none).
 * @throws InputError for a value that can't be read: a gate must not vanish.
 */
export function parseGates(
  input: JsonObject,
  { zone, examples }: { zone: string; examples: readonly JsonObject[] },
): LinkForm {
  const { extra, ...fields } = collectExtraFields(input);
  const extraFields = { ...fields, ...(isObject(extra) ? extra : {}) };
  const extraSettings = Object.entries(extraFields).flatMap(([name, rawValue]): RequestedSetting[] => {
    const gate = findGate(name);
    if (gate !== undefined)
      return rawValue === undefined
        ? []
        : [{ gate, value: parseExtraValue(gate, rawValue, name), label: name, name }];
    return typeof rawValue === 'boolean' ? [{ gate, value: rawValue, label: name, name }] : [];
  });
  const extraGates = new Set(extraSettings.map(({ gate }) => gate));
  const formSettings = parseFormSettings(input, zone)
    .filter(({ gate }) => !extraGates.has(gate))
    .map((setting) => ({ ...setting, name: chooseFieldName(setting.gate, examples) }));
  const parsedExtras = Object.fromEntries(extraSettings.map(({ name, value }) => [name, value]));
  const parsedInExtra = isObject(extra) ? pick(parsedExtras, Object.keys(extra)) : {};
  return {
    body: {
      ...Object.fromEntries(formSettings.map(({ name, value }) => [name, value])),
      ...fields,
      ...pick(parsedExtras, Object.keys(fields)),
      ...(extra === undefined ? {} : { extra: isObject(extra) ? { ...extra, ...parsedInExtra } : extra }),
    },
    settings: [...formSettings, ...extraSettings],
  };
}

/** Whether a form asks for a gate whose name only existing links show. */
export function hasGateInput(input: JsonObject): boolean {
  return GATE_NAMES.some(
    (gate) => ![undefined, null, ''].includes(input[`gate_${gate}`] as string | undefined),
  );
}

function parseFormSettings(
  input: JsonObject,
  zone: string,
): (Omit<RequestedSetting, 'name'> & { gate: Gate })[] {
  const getInput = (gate: Gate) => input[`gate_${gate}`];
  const { label } = FIELDS.expiry;
  const expiry = parseDateTime(getInput('expiry'), { label, zone });
  if (expiry !== undefined && Date.parse(expiry) <= Date.now())
    throw new InputError(`The time in the field "${label}" is over already. Correct it in this step.`);
  const password = getInput('password');
  if (typeof password === 'string' && password !== '' && password.trim() === '')
    throw new InputError(
      `The field "${FIELDS.password.label}" holds blanks alone. Fill it in, or leave it empty, in this step.`,
    );
  const values: Record<Gate, unknown> = {
    email: parseBoolean(input['email_required'], EMAIL_LABEL),
    password: password === undefined || password === null || password === '' ? undefined : String(password),
    nda: parseBoolean(getInput('nda'), FIELDS.nda.label),
    download: parseBoolean(getInput('download'), FIELDS.download.label),
    expiry,
    visitors: parsePositiveInteger(getInput('visitors'), FIELDS.visitors.label),
  };
  return (Object.entries(values) as [Gate, unknown][])
    .filter(([, value]) => value !== undefined)
    .map(([gate, value]) => ({ gate, value, label: gate === 'email' ? EMAIL_LABEL : FIELDS[gate].label }));
}

/** What was written under a gate's own name: yes and no, and numbers, as the gate's own field reads them. */
function parseExtraValue(gate: Gate, rawValue: unknown, name: string): unknown {
  if (typeof rawValue !== 'string') return rawValue;
  if (gate === 'nda' || gate === 'download' || gate === 'email')
    return parseBoolean(rawValue, name) ?? rawValue;
  return gate === 'visitors' ? (parseDecimal(rawValue, name) ?? rawValue) : rawValue;
}

export function getGateFieldNames(gate: Gate): readonly string[] {
  return gate === 'email' ? RECORD_FIELDS.emailRequired : GATES[gate].names;
}

function findGate(name: string): Gate | undefined {
  const plainFieldName = normalizeName(toSnakeCase(name));
  const gates: readonly Gate[] = ['email', ...GATE_NAMES];
  return gates.find((gate) =>
    getGateFieldNames(gate).some((gateFieldName) => normalizeName(gateFieldName) === plainFieldName),
  );
}

/** The name that an existing link shows, else the likeliest. */
function chooseFieldName(gate: Gate, examples: readonly JsonObject[]): string {
  const [first = gate, ...otherNames] = getGateFieldNames(gate);
  // The one name that the document gives (§2).
  if (gate === 'email') return first;
  const plainNames = [first, ...otherNames].map(normalizeName);
  const shown = examples.flatMap(Object.keys).find((key) => plainNames.includes(normalizeName(key)));
  return shown ?? first;
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]),
  );
}
