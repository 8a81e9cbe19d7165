import type { Recipient } from '../../src/assumptions/index.ts';
import { InputError } from '../platform/client-core.ts';

/** Quotes, brackets and punctuation that text programs put around an address. */
const EDGES = /^[\s"'`*“”„‟‘’‚«»‹›<([]+|[\s"'`*“”„‟‘’‚«»‹›>)\].,;:]+$/g;
const MAX_TEXT_LENGTH = 500;
/** Text between separators, which don't count inside quotation marks: `"Lee, Ann" <ann@x.example>` is one person. */
const ENTRY = /(?:"[^"]*"|[^,;\n"])+|"/g;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Word processors type ’ for the apostrophe of o'brien@x.example. */
const CURLY_APOSTROPHE = /(?<=\p{L})’(?=\p{L})/gu;
const EMAIL = /^[^\s@<>()[\],;:"“”„‟‘’‚«»‹›]+@[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u;

/** Parses `ann@x.example`, `Ann Lee <ann@x.example>` and `mailto:ann@x.example`; undefined for any other text. */
export function parseEmail(text: string): Recipient | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const plain = text.replace(INVISIBLE, '').trim();
  const [, namePart = '', address = plain] = /^([^<]*)<([^<>]*)>\W*$/.exec(plain) ?? [];
  const email = address
    .replace(EDGES, '')
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/, '')
    .replace(EDGES, '')
    .replace(CURLY_APOSTROPHE, "'");
  if (!EMAIL.test(email)) return undefined;
  const name = namePart.replace(EDGES, '').replaceAll('"', '');
  return name ? { email, name } : { email };
}

/** Says why a text is not one address, and what to do: `advice` for a wrong one, or `adviceForSeveral`. */
export function createEmailError(text: string, advice: string, adviceForSeveral: string): InputError {
  const shown = `"${text.slice(0, 60)}"`;
  if (text === '') return new InputError(`An email address is missing. ${advice}`);
  if (/@.*[\s,;].*@/s.test(text)) return new InputError(`${shown} is more than one email address. ${adviceForSeveral}`);
  return new InputError(`${shown} is not an email address. ${advice}`);
}

/** @throws InputError for a text that is not one address. */
export function requireEmail(
  text: string,
  label: string,
  adviceForSeveral = `Enter one in the field "${label}", or add a Looping step before this one.`,
): Recipient {
  const recipient = parseEmail(text);
  if (recipient) return recipient;
  throw createEmailError(text, `Correct the field "${label}" in this step.`, adviceForSeveral);
}

/** Parses addresses, also several on one line. @throws InputError for another text, and for a person listed twice. */
export function parseRecipients(lines: readonly string[] | undefined, label: string): Recipient[] {
  const texts = (lines ?? []).flatMap((line) => line.match(ENTRY) ?? []).filter((text) => text.trim() !== '');
  const recipients = texts.map((text) => requireEmail(text, label, `Enter one per line in the field "${label}".`));
  const emails = recipients.map(({ email }) => email.toLowerCase());
  const duplicate = emails.find((email, index) => emails.indexOf(email) !== index);
  if (duplicate !== undefined)
    throw new InputError(`${duplicate.slice(0, 60)} is in the field "${label}" twice. Enter each person once.`);
  return recipients;
}
