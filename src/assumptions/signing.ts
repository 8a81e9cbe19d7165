/**
 * What sending for signature assumes about `POST /agreements` and what agreements show (§4 "bodies of the rows without a
 * stated body … not shown"). Part of the assumptions. Of each list the name that existing agreements show is used, else
 * the first; readers take each in any case and with any separator.
 */
import { words } from '../words.ts';
import { RECIPIENT_FIELDS } from './forms.ts';

/** §4: under which names an agreement takes and shows what a form asks for. */
export const SIGNING_FIELDS = {
  name: words(`name title`),
  template: words(`template_id`),
  document: words(`document_id file_id`),
  people: RECIPIENT_FIELDS,
  subject: words(`subject email_subject`),
  message: words(`message email_message`),
} as const;

/** §4: what one person of an agreement is made of. */
export const SIGNER_FIELDS = {
  email: words(`email email_address`),
  name: words(`name full_name`),
  role: words(`role role_name signer_role`),
  order: words(`order signing_order routing_order sequence`),
} as const;

/** §4: where else an entry may show the person's address and role. */
export const SIGNER_EMAIL_PATHS = words(`contact.email person.email user.email recipient.email signer.email`);
export const SIGNER_ROLE_PATHS = words(`role.name`);

/** §4: objects of a person's entry that may hold its role and order one level down. */
export const SIGNER_HOLDERS = words(`custom settings routing`);

/** §4: roles of people whom a service adds to each agreement by itself; they sign nothing. */
export const SENDER_ROLES = words(`sender owner creator author requester`);

export interface SigningNames {
  readonly fields: Readonly<Record<keyof typeof SIGNING_FIELDS, string>>;
  readonly person: Readonly<Record<keyof typeof SIGNER_FIELDS, string>>;
}

export interface SigningForm {
  readonly name: string | undefined;
  readonly template: string | undefined;
  readonly document: string | undefined;
  readonly people: readonly { email: string; name?: string; role?: string; order?: number }[];
  readonly subject: string | undefined;
  readonly message: string | undefined;
}

/** §4: the bodies to try in turn while the service refuses them for their names; subject and message may belong to the send. */
export function signingBodies(form: SigningForm, names: SigningNames): Record<string, unknown>[] {
  const { fields, person } = names;
  const other = (list: readonly string[], taken: string) => list.find((name) => name !== taken) ?? taken;
  const people = other(SIGNING_FIELDS.people, fields.people);
  const name = other(SIGNING_FIELDS.name, fields.name);
  const role = other(SIGNER_FIELDS.role, person.role);
  const order = other(SIGNER_FIELDS.order, person.order);
  const plain = { fields: getFirstNames(SIGNING_FIELDS), person: getFirstNames(SIGNER_FIELDS) };
  const variants = [
    names,
    // Names that records show in another case (`Email`) need not be those of requests.
    { fields, person: plain.person },
    plain,
    { fields: { ...fields, people }, person },
    { fields: { ...fields, name }, person },
    { fields, person: { ...person, role, order } },
  ];
  const bodies = variants.map((variant) => signingBody(form, variant));
  const words = [fields.subject, fields.message];
  return [
    ...bodies,
    ...bodies.map((body) =>
      Object.fromEntries(Object.entries(body).filter(([name]) => !words.includes(name))),
    ),
  ];
}

function getFirstNames<Key extends string>(
  lists: Readonly<Record<Key, readonly string[]>>,
): Record<Key, string> {
  // fromEntries widens the keys that `lists` itself gives.
  return Object.fromEntries(
    Object.entries<readonly string[]>(lists).map(([key, [first = key]]) => [key, first]),
  ) as Record<Key, string>;
}

function signingBody(form: SigningForm, { fields, person }: SigningNames): Record<string, unknown> {
  return {
    [fields.name]: form.name,
    [fields.template]: form.template,
    [fields.document]: form.document,
    [fields.people]: form.people.map((one) =>
      Object.fromEntries(
        Object.entries(one).map(([name, value]) => [person[name as keyof typeof person], value]),
      ),
    ),
    [fields.subject]: form.subject,
    [fields.message]: form.message,
  };
}

/** §4: the bodies of a send to try in turn; without subject and message only where the agreement has taken them before. */
export function signingSendBodies(
  { subject, message }: Pick<SigningForm, 'subject' | 'message'>,
  { names, taken }: { names: SigningNames; taken: boolean },
): Record<string, unknown>[] {
  const { fields } = names;
  const [, subject2 = fields.subject] = SIGNING_FIELDS.subject;
  const [, message2 = fields.message] = SIGNING_FIELDS.message;
  return [
    { [fields.subject]: subject, [fields.message]: message },
    { [subject2]: subject, [message2]: message },
    ...(taken ? [{}] : []),
  ];
}
