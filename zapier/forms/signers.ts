import type { PlainInputField } from 'zapier-platform-core';
import {
  RECIPIENT_FIELDS,
  SENDER_ROLES,
  SIGNER_CONTAINERS,
  SIGNER_EMAIL_PATHS,
  SIGNER_FIELDS,
  SIGNER_ROLE_PATHS,
  type SigningForm,
} from '../../src/assumptions/index.ts';
import { getTextField, getValueAtPath, InputError, isObject, type JsonObject } from '../platform/core.ts';
import { fold } from '../records/fold.ts';
import { readCount } from './amount.ts';
import { textInput } from './form.ts';

export type Signer = SigningForm['signers'][number];

/** Who signs, as line items: an earlier step may give several. */
export const signerFields: PlainInputField = {
  key: 'signers',
  label: 'Signers',
  // The platform refuses help on a group of fields: each field of the group has its own.
  children: [
    textInput('signer_email', 'Signer Email', {
      required: true,
      helpText: 'Where the request to sign goes: ann@example.com.',
    }),
    textInput('signer_name', 'Signer Name', { helpText: 'As it stands under the signature.' }),
    textInput('signer_role', 'Signer Role', {
      helpText:
        'The role of the template that this person fills, written as there. Leave empty without roles.',
    }),
    {
      key: 'signer_order',
      label: 'Signing Order',
      type: 'integer',
      required: false,
      helpText:
        'Who signs first has 1, who signs after that 2. Leave empty where all may sign at the same time.',
    },
  ],
};

/** @throws InputError for nobody, a broken address, somebody who is named twice, and an order that not all have. */
export function readSigners(value: unknown): Signer[] {
  const lines = (Array.isArray(value) ? value : [value]).filter(isObject);
  const signers = lines.flatMap((line, at): Signer[] => {
    const text = (key: string) => String(line[key] ?? '').trim();
    const [email, name, role] = [text('signer_email'), text('signer_name'), text('signer_role')];
    if (`${email}${name}${role}` === '') return [];
    if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+\.?[^\s@<>,;"]*$/.test(email))
      throw new InputError(
        `"${email.slice(0, 60)}" is no e-mail address. Correct "Signer Email" of signer ${at + 1} in this step.`,
      );
    const order = readCount(line['signer_order'], 'Signing Order');
    return [
      { email, ...(name && { name }), ...(role && { role }), ...(order === undefined ? {} : { order }) },
    ];
  });
  if (signers.length === 0)
    throw new InputError(
      'Nobody was named to sign. Fill in "Signer Email" of at least one signer in this step.',
    );
  const seen = signers.map(({ email, role = '' }) => `${email.toLowerCase()} ${fold(role)}`);
  const twice = signers.find((_, at) => seen.indexOf(seen[at] ?? '') !== at);
  if (twice)
    throw new InputError(
      `${twice.email.slice(0, 60)} is named twice as a signer. Name each person once, or give the two different roles.`,
    );
  if (signers.some(({ order }) => order === undefined) && signers.some(({ order }) => order !== undefined))
    throw new InputError(
      'Some signers have a signing order and others have none. Give it to all or to nobody.',
    );
  return signers;
}

interface Shown {
  readonly email: string | undefined;
  readonly role: string | undefined;
  readonly order: number | undefined;
}

/** The people of an agreement's record; undefined where it shows none. */
function getShownSigners(record: JsonObject): Shown[] | undefined {
  const lists = RECIPIENT_FIELDS.map((name) => getValueAtPath(record, name)).map((value) =>
    isObject(value) ? Object.values(value).find(Array.isArray) : value,
  );
  const list = lists.filter(Array.isArray).toSorted((a, b) => b.length - a.length)[0];
  return list?.map((entry: unknown) => {
    if (typeof entry === 'string') return { email: entry, role: undefined, order: undefined };
    const places = [entry, ...SIGNER_CONTAINERS.map((holder) => getValueAtPath(entry, holder))].filter(
      isObject,
    );
    const text = (names: readonly string[]) =>
      places.map((place) => getTextField(place, names)).find((found) => found !== undefined);
    const order = Number(text(SIGNER_FIELDS.order));
    return {
      email: text([...SIGNER_FIELDS.email, ...SIGNER_EMAIL_PATHS]),
      role: text([...SIGNER_FIELDS.role, ...SIGNER_ROLE_PATHS]),
      order: Number.isFinite(order) ? order : undefined,
    };
  });
}

/**
 * What an agreement's record does not show as it was asked for, in words; undefined where everybody took and nobody else
 * gets it. `others` are the addresses that its template names itself.
 */
export function signersAmiss(
  signers: readonly Signer[],
  record: JsonObject,
  others: (email: string) => boolean,
): string | undefined {
  const shown = getShownSigners(record);
  if (shown === undefined) return 'its signers';
  const own = signers.map((signer) => matching(signer, shown));
  for (const [at, { email, role }] of signers.entries()) {
    const name = email.slice(0, 50);
    if (own[at] === undefined) return `${name} as a signer`;
    if (role !== undefined && fold(own[at].role) !== fold(role)) return `the role of ${name}`;
  }
  if (!isSameOrder(signers, own)) return 'the signing order';
  const filled = signers.flatMap(({ role }) => (role === undefined ? [] : fold(role)));
  const strange = shown.find((one) => !own.includes(one) && !isExpected(one, { others, filled }));
  if (strange === undefined) return undefined;
  return strange.email === undefined
    ? `somebody for the role ${(strange.role ?? '').slice(0, 40)}`
    : `that ${strange.email.slice(0, 50)}, whom this step does not name, should get it`;
}

function matching({ email, role }: Signer, shown: readonly Shown[]): Shown | undefined {
  const same = shown.filter((one) => one.email?.trim().toLowerCase() === email.toLowerCase());
  return same.find((one) => fold(one.role) === fold(role)) ?? same[0];
}

function isSameOrder(signers: readonly Signer[], own: readonly (Shown | undefined)[]): boolean {
  return signers.every(({ order }, at) =>
    signers.every(({ order: other }, by) => {
      if (order === undefined || other === undefined) return true;
      const [mine, theirs] = [own[at]?.order, own[by]?.order];
      // A service may count from 0, or in tens: who comes before whom is what counts.
      return (
        mine !== undefined && theirs !== undefined && Math.sign(mine - theirs) === Math.sign(order - other)
      );
    }),
  );
}

/** The template's own person for a role that this step fills with another is not wanted any more. */
function isExpected(
  { email, role }: Shown,
  { others, filled }: { others: (email: string) => boolean; filled: readonly string[] },
): boolean {
  if (SENDER_ROLES.includes(fold(role))) return true;
  return email !== undefined && others(email.trim().toLowerCase()) && !filled.includes(fold(role));
}
