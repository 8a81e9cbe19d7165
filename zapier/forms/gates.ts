import type { PlainInputField } from 'zapier-platform-core';
import { FORM_FIELD_NAMES, GATES, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { InputError, isObject, type JsonObject, normalizeName } from '../platform/core.ts';
import { readAmount, readCount } from './amount.ts';
import { readTime, snakeCase } from './date.ts';
import { readFlag, readMore } from './form.ts';

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
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** The gates of a form; `empty` says what an empty field means. */
export function gateFields({
  empty,
  email = {},
}: {
  empty: string;
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
    ...NAMES.map((gate) => {
      const { group, label, type, help } = FIELDS[gate];
      return { key: `gate_${gate}`, label, type, required: false, group, helpText: `${help} ${empty}` };
    }),
  ];
}

/** Names of a link's fields that the form has already: none of them is offered a second time. */
export const LINK_NAMES: readonly string[] = [
  ...FORM_FIELD_NAMES.link,
  ...RECORD_FIELDS.emailRequired,
  ...Object.values(GATES).flatMap((gate) => [...gate.names, ...('readNames' in gate ? gate.readNames : [])]),
];

/** One thing that a form asks of a link, as the record has to show it afterwards. */
export interface Wish {
  /** Undefined for a yes or no that is no gate known here. */
  readonly gate: Gate | undefined;
  readonly value: unknown;
  /** What a person calls it: the label of its field, or the name under Additional Fields. */
  readonly label: string;
  /** The name of the field that carries it. */
  readonly name: string;
}

export interface GateForm {
  /** The fields of the form, gates and all else. */
  readonly body: JsonObject;
  readonly wishes: readonly Wish[];
}

/**
 * The gates of a form, wherever they were filled in: its own fields, learned ones, Additional Fields (which win).
 * `examples` are records of links, for the names of the fields (§2 shows none).
 * @throws InputError for a value that can't be read: a gate must not vanish.
 */
export function readGates(
  input: JsonObject,
  { zone, examples }: { zone: string; examples: readonly JsonObject[] },
): GateForm {
  const { extra, ...plain } = readMore(input);
  const further = { ...plain, ...(isObject(extra) ? extra : {}) };
  const others = Object.entries(further).flatMap(([name, given]): Wish[] => {
    const gate = findGate(name);
    if (gate !== undefined)
      return given === undefined ? [] : [{ gate, value: readFurther(gate, given, name), label: name, name }];
    return typeof given === 'boolean' ? [{ gate, value: given, label: name, name }] : [];
  });
  const taken = new Set(others.map(({ gate }) => gate));
  const own = ownWishes(input, zone)
    .filter(({ gate }) => !taken.has(gate))
    .map((wish) => ({ ...wish, name: chooseFieldName(wish.gate, examples) }));
  const read = Object.fromEntries(others.map(({ name, value }) => [name, value]));
  const inExtra = isObject(extra) ? pick(read, Object.keys(extra)) : {};
  return {
    body: {
      ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
      ...plain,
      ...pick(read, Object.keys(plain)),
      ...(extra === undefined ? {} : { extra: isObject(extra) ? { ...extra, ...inExtra } : extra }),
    },
    wishes: [...own, ...others],
  };
}

/** Whether a form asks for a gate whose name only existing links show. */
export function asksForGates(input: JsonObject): boolean {
  return NAMES.some((gate) => ![undefined, null, ''].includes(input[`gate_${gate}`] as string | undefined));
}

function ownWishes(input: JsonObject, zone: string): (Omit<Wish, 'name'> & { gate: Gate })[] {
  const given = (gate: Gate) => input[`gate_${gate}`];
  const { label } = FIELDS.expiry;
  const expiry = readTime(given('expiry'), { label, zone });
  if (expiry !== undefined && Date.parse(expiry) <= Date.now())
    throw new InputError(`The time in the field "${label}" is over already. Correct it in this step.`);
  const password = given('password');
  if (typeof password === 'string' && password !== '' && password.trim() === '')
    throw new InputError(
      `The field "${FIELDS.password.label}" holds blanks alone. Fill it in, or leave it empty, in this step.`,
    );
  const read: Record<Gate, unknown> = {
    email: readFlag(input['email_required'], EMAIL_LABEL),
    password: password === undefined || password === null || password === '' ? undefined : String(password),
    nda: readFlag(given('nda'), FIELDS.nda.label),
    download: readFlag(given('download'), FIELDS.download.label),
    expiry,
    visitors: readCount(given('visitors'), FIELDS.visitors.label),
  };
  return (Object.entries(read) as [Gate, unknown][])
    .filter(([, value]) => value !== undefined)
    .map(([gate, value]) => ({ gate, value, label: gate === 'email' ? EMAIL_LABEL : FIELDS[gate].label }));
}

/** What was written under a gate's own name: yes and no, and numbers, as the gate's own field reads them. */
function readFurther(gate: Gate, given: unknown, name: string): unknown {
  if (typeof given !== 'string') return given;
  if (gate === 'nda' || gate === 'download' || gate === 'email') return readFlag(given, name) ?? given;
  return gate === 'visitors' ? (readAmount(given, name) ?? given) : given;
}

export function getGateFieldNames(gate: Gate): readonly string[] {
  return gate === 'email' ? RECORD_FIELDS.emailRequired : GATES[gate].names;
}

function findGate(name: string): Gate | undefined {
  const plain = normalizeName(snakeCase(name));
  const gates: readonly Gate[] = ['email', ...NAMES];
  return gates.find((gate) => getGateFieldNames(gate).some((known) => normalizeName(known) === plain));
}

/** The name that an existing link shows, else the likeliest. */
function chooseFieldName(gate: Gate, examples: readonly JsonObject[]): string {
  const [first = gate, ...more] = getGateFieldNames(gate);
  // The one name that the document gives (§2).
  if (gate === 'email') return first;
  const plain = [first, ...more].map(normalizeName);
  const shown = examples.flatMap(Object.keys).find((key) => plain.includes(normalizeName(key)));
  return shown ?? first;
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]),
  );
}
