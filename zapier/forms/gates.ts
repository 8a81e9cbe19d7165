import type { PlainInputField } from 'zapier-platform-core';
import { GATES } from '../../src/assumptions/index.ts';
import { InputError, isObject, type JsonObject, plainName, readPath } from '../platform/core.ts';
import { readCount } from './amount.ts';
import { readTime } from './date.ts';
import { readFlag } from './form.ts';

type Gate = keyof typeof GATES;

const FIELDS = {
  password: { label: 'Password', type: 'string', help: 'Visitors enter it before they see anything.' },
  expiry: {
    label: 'Expires At',
    type: 'datetime',
    help: 'From then on the link opens nothing. A day without a clock counts to its end, in the time zone of your Zapier account.',
  },
  nda: {
    label: 'Ask for an NDA',
    type: 'boolean',
    help: 'Visitors accept your NDA before they see anything.',
  },
  visitors: { label: 'Most Visitors', type: 'integer', help: 'How many people may open the link.' },
  download: {
    label: 'Allow Download',
    type: 'boolean',
    help: 'No keeps visitors from taking the file with them.',
  },
} as const satisfies Record<Gate, { label: string; type: PlainInputField['type']; help: string }>;

const NAMES = Object.keys(FIELDS) as Gate[];

/** What may stand between a visitor and what a link opens. */
export const gateFields: PlainInputField[] = NAMES.map((gate) => {
  const { label, type, help } = FIELDS[gate];
  return {
    key: `gate_${gate}`,
    label,
    type,
    required: false,
    helpText: `${help} Leave empty to let Docshare decide.`,
  };
});

/** @throws InputError for a value that can't be read: a gate must not vanish. */
export function readGates(input: JsonObject, zone: string): Partial<Record<Gate, unknown>> {
  const given = (gate: Gate) => input[`gate_${gate}`];
  const { label } = FIELDS.expiry;
  const expiry = readTime(given('expiry'), { label, zone });
  if (expiry !== undefined && Date.parse(expiry) <= Date.now())
    throw new InputError(`The time in the field "${label}" is over already. Correct it in this step.`);
  const password = given('password');
  const read: Record<Gate, unknown> = {
    password: password === undefined || password === null || password === '' ? undefined : String(password),
    expiry,
    nda: readFlag(given('nda'), FIELDS.nda.label),
    visitors: readCount(given('visitors'), FIELDS.visitors.label),
    download: readFlag(given('download'), FIELDS.download.label),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** The gates as fields of a body, under the names that an existing link shows, else the likeliest (§2 shows none). */
export function gateBody(gates: Partial<Record<Gate, unknown>>, example: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(gates).map(([gate, value]) => [nameOf(gate as Gate, example), value]),
  );
}

function nameOf(gate: Gate, example: JsonObject | undefined): string {
  const { names } = GATES[gate];
  const shown = Object.keys(example ?? {}).find((key) =>
    names.some((name) => plainName(name) === plainName(key)),
  );
  return shown ?? names[0] ?? gate;
}

/** The labels of the gates that a link does not show as they were asked for. */
export function missingGates(gates: Partial<Record<Gate, unknown>>, link: JsonObject): string[] {
  return Object.entries(gates)
    .filter(([gate, value]) => !isSet(gate as Gate, value, link))
    .map(([gate]) => FIELDS[gate as Gate].label);
}

function isSet(gate: Gate, value: unknown, link: JsonObject): boolean {
  const { names } = GATES[gate];
  const shown = gate === 'password' ? GATES.password.shown : [];
  const found = [...names, ...shown].map((name) => readPath(link, name)).filter((one) => one !== undefined);
  return found.some((one) => isSame(gate, value, one));
}

function isSame(gate: Gate, wanted: unknown, shown: unknown): boolean {
  // A password is shown as set, as stars or as itself; never as nothing.
  if (gate === 'password') return shown !== null && shown !== false && shown !== '';
  if (gate === 'expiry') return Math.abs(toMs(shown) - toMs(wanted)) < 1000;
  if (gate === 'visitors') return Number(shown) === wanted;
  if (isObject(shown)) return wanted === true;
  return shown === wanted || String(shown).toLowerCase() === String(wanted);
}

function toMs(value: unknown): number {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  const number = Number(value);
  return Number.isFinite(number) ? toMs(number) : Date.parse(String(value));
}
