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
import {
  getTextField,
  getValueAtPath,
  InputError,
  isObject,
  type JsonObject,
} from '../platform/client-core.ts';
import { normalizeText } from '../records/normalize-text.ts';
import { textInput } from './form-fields.ts';
import { parsePositiveInteger } from './parse-number.ts';

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
export function parseSigners(value: unknown): Signer[] {
  const rows = (Array.isArray(value) ? value : [value]).filter(isObject);
  const signers = rows.flatMap((row, index): Signer[] => {
    const text = (key: string) => String(row[key] ?? '').trim();
    const [email, name, role] = [text('signer_email'), text('signer_name'), text('signer_role')];
    if (`${email}${name}${role}` === '') return [];
    if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+\.?[^\s@<>,;"]*$/.test(email))
      throw new InputError(
        `"${email.slice(0, 60)}" is no e-mail address. Correct "Signer Email" of signer ${index + 1} in this step.`,
      );
    const order = parsePositiveInteger(row['signer_order'], 'Signing Order');
    return [
      { email, ...(name && { name }), ...(role && { role }), ...(order === undefined ? {} : { order }) },
    ];
  });
  if (signers.length === 0)
    throw new InputError(
      'Nobody was named to sign. Fill in "Signer Email" of at least one signer in this step.',
    );
  const signerKeys = signers.map(({ email, role = '' }) => `${email.toLowerCase()} ${normalizeText(role)}`);
  const duplicate = signers.find((_, index) => signerKeys.indexOf(signerKeys[index] ?? '') !== index);
  if (duplicate)
    throw new InputError(
      `${duplicate.email.slice(0, 60)} is named twice as a signer. Name each person once, or give the two different roles.`,
    );
  if (signers.some(({ order }) => order === undefined) && signers.some(({ order }) => order !== undefined))
    throw new InputError(
      'Some signers have a signing order and others have none. Give it to all or to nobody.',
    );
  return signers;
}

interface ShownSigner {
  readonly email: string | undefined;
  readonly role: string | undefined;
  readonly order: number | undefined;
}

/** The people of an agreement's record; undefined where it shows none. */
function getShownSigners(record: JsonObject): ShownSigner[] | undefined {
  const lists = RECIPIENT_FIELDS.map((name) => getValueAtPath(record, name)).map((value) =>
    isObject(value) ? Object.values(value).find(Array.isArray) : value,
  );
  const list = lists.filter(Array.isArray).toSorted((a, b) => b.length - a.length)[0];
  return list?.map((entry: unknown) => {
    if (typeof entry === 'string') return { email: entry, role: undefined, order: undefined };
    const candidates = [entry, ...SIGNER_CONTAINERS.map((path) => getValueAtPath(entry, path))].filter(
      isObject,
    );
    const text = (names: readonly string[]) =>
      candidates.map((candidate) => getTextField(candidate, names)).find((found) => found !== undefined);
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
 * gets it. `isTemplateEmail` are the addresses that its template names itself.
 */
export function findSignerMismatch(
  signers: readonly Signer[],
  record: JsonObject,
  isTemplateEmail: (email: string) => boolean,
): string | undefined {
  const shown = getShownSigners(record);
  if (shown === undefined) return 'its signers';
  const matches = signers.map((signer) => findMatch(signer, shown));
  for (const [index, { email, role }] of signers.entries()) {
    const name = email.slice(0, 50);
    if (matches[index] === undefined) return `${name} as a signer`;
    if (role !== undefined && normalizeText(matches[index].role) !== normalizeText(role))
      return `the role of ${name}`;
  }
  if (!isSameOrder(signers, matches)) return 'the signing order';
  const filledRoles = signers.flatMap(({ role }) => (role === undefined ? [] : normalizeText(role)));
  const unexpectedSigner = shown.find(
    (candidate) => !matches.includes(candidate) && !isExpected(candidate, { isTemplateEmail, filledRoles }),
  );
  if (unexpectedSigner === undefined) return undefined;
  return unexpectedSigner.email === undefined
    ? `somebody for the role ${(unexpectedSigner.role ?? '').slice(0, 40)}`
    : `that ${unexpectedSigner.email.slice(0, 50)}, whom this step does not name, should get it`;
}

function findMatch({ email, role }: Signer, shown: readonly ShownSigner[]): ShownSigner | undefined {
  const sameEmail = shown.filter(
    (candidate) => candidate.email?.trim().toLowerCase() === email.toLowerCase(),
  );
  return sameEmail.find((candidate) => normalizeText(candidate.role) === normalizeText(role)) ?? sameEmail[0];
}

function isSameOrder(signers: readonly Signer[], matches: readonly (ShownSigner | undefined)[]): boolean {
  return signers.every(({ order }, index) =>
    signers.every(({ order: other }, otherIndex) => {
      if (order === undefined || other === undefined) return true;
      const [mine, theirs] = [matches[index]?.order, matches[otherIndex]?.order];
      // A service may count from 0, or in tens: who comes before whom is what counts.
      return (
        mine !== undefined && theirs !== undefined && Math.sign(mine - theirs) === Math.sign(order - other)
      );
    }),
  );
}

/** The template's own person for a role that this step fills with another is not wanted any more. */
function isExpected(
  { email, role }: ShownSigner,
  {
    isTemplateEmail,
    filledRoles,
  }: { isTemplateEmail: (email: string) => boolean; filledRoles: readonly string[] },
): boolean {
  if (SENDER_ROLES.includes(normalizeText(role))) return true;
  return (
    email !== undefined &&
    isTemplateEmail(email.trim().toLowerCase()) &&
    !filledRoles.includes(normalizeText(role))
  );
}
