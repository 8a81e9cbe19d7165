import type { PlainInputField } from 'zapier-platform-core';
import {
  COPY_FIELD_PATTERN,
  RECIPIENT_FIELDS,
  SENDER_ROLES,
  SIGNER_CONTAINERS,
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
  toSnakeCase,
} from '../platform/client-core.ts';
import { liftPerson } from '../records/lift-fields.ts';
import { normalizeText } from '../records/normalize-text.ts';
import { createFormField } from './form-fields.ts';
import { createEmailError, parseEmail } from './parse-email.ts';
import { parsePositiveInteger } from './parse-number.ts';

export type Signer = SigningForm['signers'][number];

/** Signers as line items, since an earlier step may give several. */
export const signerFields: PlainInputField = {
  key: 'signers',
  label: 'Signers',
  // Zapier allows no help text on a group.
  children: [
    createFormField('signer_email', 'Signer Email', {
      required: true,
      helpText: 'Docshare emails the signing request to this address.',
    }),
    createFormField('signer_name', 'Signer Name', { helpText: 'Shown with the signature.' }),
    createFormField('signer_role', 'Signer Role', {
      helpText: 'Copy the role name from the template, for example Client. Leave empty if the template has no roles.',
    }),
    createFormField('signer_order', 'Signing Order', {
      type: 'integer',
      helpText: '1 signs first, 2 signs next. Leave empty if everyone can sign at the same time.',
    }),
  ],
};

export interface SignerRow {
  readonly signer_email?: string;
  readonly signer_name?: string;
  readonly signer_role?: string;
  readonly signer_order?: unknown;
}

/** @throws InputError for no signer, an invalid email address, a duplicate, or an order that only some have. */
export function parseSigners(rows: readonly SignerRow[] = []): Signer[] {
  const signers = rows.map((row, index): Signer => {
    const { signer_email: address = '', signer_role: role } = row;
    const recipient = parseEmail(address);
    if (!recipient)
      throw createEmailError(
        address,
        `Correct "Signer Email" of signer ${index + 1} in this step.`,
        'Map line items instead of text (Formatter can convert it), so that each signer gets a row.',
      );
    const { email } = recipient;
    const name = row.signer_name ?? recipient.name;
    const order = parsePositiveInteger(row.signer_order, 'Signing Order');
    return { email, ...(name && { name }), ...(role && { role }), ...(order === undefined ? {} : { order }) };
  });
  if (signers.length === 0)
    throw new InputError('There is no signer. Fill in "Signer Email" of at least one signer in this step.');
  const duplicate = signers.find((signer, index) =>
    signers.slice(0, index).some((other) => isSameSigner(other, signer)),
  );
  if (duplicate)
    throw new InputError(
      `${duplicate.email.slice(0, 60)} is a signer twice. Enter each person once, or enter a different role for each.`,
    );
  if (signers.some(({ order }) => order === undefined) && signers.some(({ order }) => order !== undefined))
    throw new InputError(
      'Only some signers have a signing order. Fill in "Signing Order" for all signers, or for none.',
    );
  return signers;
}

/** True for one person who does not have a different role in each row. */
function isSameSigner(a: Signer, b: Signer): boolean {
  if (a.email.toLowerCase() !== b.email.toLowerCase()) return false;
  return !a.role || !b.role || normalizeText(a.role) === normalizeText(b.role);
}

interface ShownSigner {
  readonly email: string | undefined;
  readonly role: string | undefined;
  readonly order: number | undefined;
}

/** Signers that an agreement's record shows; undefined if it shows none. */
function getShownSigners(record: JsonObject): ShownSigner[] | undefined {
  const lists = RECIPIENT_FIELDS.map((name) => getValueAtPath(record, name)).map((value) =>
    isObject(value) ? Object.values(value).filter(Array.isArray).flat() : value,
  );
  const list = lists.filter(Array.isArray).toSorted((a, b) => b.length - a.length)[0];
  return list?.map(readSigner);
}

function readSigner(entry: unknown): ShownSigner {
  if (typeof entry === 'string') return { email: entry, role: undefined, order: undefined };
  const candidates = [entry, ...SIGNER_CONTAINERS.map((path) => getValueAtPath(entry, path))]
    .filter(isObject)
    .map(liftPerson);
  const text = (names: readonly string[]) =>
    candidates.map((candidate) => getTextField(candidate, names)).find((found) => found !== undefined);
  const order = Number(text(SIGNER_FIELDS.order));
  return {
    email: text(SIGNER_FIELDS.email),
    role: text([...SIGNER_FIELDS.role, ...SIGNER_ROLE_PATHS]),
    order: Number.isFinite(order) ? order : undefined,
  };
}

/** Addresses that an agreement's record shows as those of people who get a copy. */
function getShownCopies(record: JsonObject): string[] {
  return Object.entries(record)
    .flatMap(([name, value]) => {
      if (!COPY_FIELD_PATTERN.test(toSnakeCase(name))) return isObject(value) ? getShownCopies(value) : [];
      return [value].flat().map((entry) => readSigner(entry).email ?? '');
    })
    .filter((email) => email.includes('@'));
}

/**
 * Describes (after "Docshare ") the first difference between the requested signers and an agreement's record; undefined
 * if there is none. `isTemplateEmail` is true for addresses in the template.
 */
export function findSignerMismatch(
  signers: readonly Signer[],
  record: JsonObject,
  isTemplateEmail: (email: string) => boolean,
): string | undefined {
  const shown = getShownSigners(record);
  if (shown === undefined) return 'does not show its signers';
  const matches = signers.map((signer) => findMatch(signer, shown));
  for (const [index, { email, role }] of signers.entries()) {
    const name = email.slice(0, 50);
    if (matches[index] === undefined) return `does not show ${name} as a signer`;
    if (role !== undefined && normalizeText(matches[index].role) !== normalizeText(role))
      return `does not show the role of ${name}`;
  }
  if (!isSameOrder(signers, matches)) return 'does not show the signing order';
  const filledRoles = signers.flatMap(({ role }) => (role === undefined ? [] : normalizeText(role)));
  const unexpectedSigner = shown.find(
    (candidate) =>
      !matches.some((match) => isShownAgain(candidate, match)) &&
      !isExpected(candidate, { isTemplateEmail, filledRoles }),
  );
  if (unexpectedSigner === undefined) {
    const emails = signers.map(({ email }) => email.toLowerCase());
    const copy = getShownCopies(record).find((email) => {
      const address = email.trim().toLowerCase();
      return !emails.includes(address) && !isTemplateEmail(address);
    });
    return copy && `also sends a copy to ${copy.slice(0, 50)}, who is not in this step`;
  }
  return unexpectedSigner.email === undefined
    ? `does not show a signer for the role ${(unexpectedSigner.role ?? '').slice(0, 40)}`
    : `also lists ${unexpectedSigner.email.slice(0, 50)}, who is not a signer in this step`;
}

function findMatch({ email, role }: Signer, shown: readonly ShownSigner[]): ShownSigner | undefined {
  const sameEmail = shown.filter((candidate) => candidate.email?.trim().toLowerCase() === email.toLowerCase());
  return sameEmail.find((candidate) => normalizeText(candidate.role) === normalizeText(role)) ?? sameEmail[0];
}

/** True for the entry of a signer, and for one in another list that shows the same person without another role. */
function isShownAgain(candidate: ShownSigner, match: ShownSigner | undefined): boolean {
  if (candidate === match) return true;
  const isSamePerson = candidate.email?.trim().toLowerCase() === match?.email?.trim().toLowerCase();
  return isSamePerson && candidate.email !== undefined && candidate.role === undefined;
}

function isSameOrder(signers: readonly Signer[], matches: readonly (ShownSigner | undefined)[]): boolean {
  return signers.every(({ order }, index) =>
    signers.every(({ order: other }, otherIndex) => {
      if (order === undefined || other === undefined) return true;
      const [mine, theirs] = [matches[index]?.order, matches[otherIndex]?.order];
      // Only the sequence counts: a service may number from 0, or in tens.
      return mine !== undefined && theirs !== undefined && Math.sign(mine - theirs) === Math.sign(order - other);
    }),
  );
}

/** True for the sender, and for the template's own signers whose role this step does not fill. */
function isExpected(
  { email, role }: ShownSigner,
  { isTemplateEmail, filledRoles }: { isTemplateEmail: (email: string) => boolean; filledRoles: readonly string[] },
): boolean {
  if (SENDER_ROLES.includes(normalizeText(role))) return true;
  return (
    email !== undefined && isTemplateEmail(email.trim().toLowerCase()) && !filledRoles.includes(normalizeText(role))
  );
}
