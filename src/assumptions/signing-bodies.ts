/**
 * Assumptions about `POST /agreements` and the fields of agreements (§4 "bodies of the rows without a stated
 * body … not shown"). Of each list, the name that existing agreements show is used, otherwise the first;
 * readers match each name in any case and with any separator.
 */
import { splitWords } from '../split-words.ts';
import { RECIPIENT_FIELDS } from './record-fields.ts';

/** §4: names of an agreement's fields, in requests and responses. */
export const SIGNING_FIELDS = {
  name: splitWords(`name title`),
  template: splitWords(`template_id`),
  document: splitWords(`document_id file_id`),
  signers: RECIPIENT_FIELDS,
  subject: splitWords(`subject email_subject`),
  message: splitWords(`message email_message`),
} as const;

/** §4: names of a signer's fields. */
export const SIGNER_FIELDS = {
  email: splitWords(`email email_address`),
  name: splitWords(`name full_name`),
  role: splitWords(`role role_name signer_role`),
  order: splitWords(`order signing_order routing_order sequence`),
} as const;

/** §4: other places of a signer's email address and role. */
export const SIGNER_EMAIL_PATHS = splitWords(`contact.email person.email user.email recipient.email signer.email`);
export const SIGNER_ROLE_PATHS = splitWords(`role.name`);

/** §4: fields that say what a recipient does. */
export const SIGNER_KIND_FIELDS = splitWords(`role role_name signer_role recipient_type`);

/** §4: objects of a signer's entry that may hold role and order one level down. */
export const SIGNER_CONTAINERS = splitWords(`custom settings routing`);

/** §4: roles that a service adds to each agreement by itself; they sign nothing. */
export const SENDER_ROLES = splitWords(`sender owner creator author requester`);

/** §4: roles of people who are shown with an agreement and sign nothing. */
export const NON_SIGNER_ROLE_PATTERN =
  /^(?:sender|owner|creator|author|requester|(?:carbon[\s_-]?)?copy|cc|bcc|.*copied|view\w*|observ\w*|approv\w*|watch\w*|inform\w*|certified[\s_-]delivery)$/i;

/** §4: fields of an agreement with people who get a copy and are not among its recipients. */
export const COPY_FIELD_PATTERN = /(^|_)(b?ccs?|carbon_cop(y|ies)|copied)(_|$)/;

export interface SigningFieldNames {
  readonly fields: Readonly<Record<keyof typeof SIGNING_FIELDS, string>>;
  readonly signer: Readonly<Record<keyof typeof SIGNER_FIELDS, string>>;
}

export interface SigningForm {
  readonly name: string | undefined;
  readonly template: string | undefined;
  readonly document: string | undefined;
  readonly signers: readonly { email: string; name?: string; role?: string; order?: number }[];
  readonly subject: string | undefined;
  readonly message: string | undefined;
  /** Values of the template's fields. */
  readonly values?: readonly { name: string; value: string }[];
}

/** §4: bodies to try while the service rejects their names; subject and message may belong to the send. */
export function getSigningBodies(form: SigningForm, names: SigningFieldNames): Record<string, unknown>[] {
  const { fields, signer } = names;
  const pickOther = (list: readonly string[], excluded: string) => list.find((name) => name !== excluded) ?? excluded;
  const signers = pickOther(SIGNING_FIELDS.signers, fields.signers);
  const name = pickOther(SIGNING_FIELDS.name, fields.name);
  const role = pickOther(SIGNER_FIELDS.role, signer.role);
  const order = pickOther(SIGNER_FIELDS.order, signer.order);
  const defaultNames = { fields: getFirstNames(SIGNING_FIELDS), signer: getFirstNames(SIGNER_FIELDS) };
  const variants = [
    names,
    // Names that records show in another case (`Email`) may differ from those of requests.
    { fields, signer: defaultNames.signer },
    defaultNames,
    { fields: { ...fields, signers }, signer },
    { fields: { ...fields, name }, signer },
    { fields, signer: { ...signer, role, order } },
  ];
  const bodies = variants.map((variant) => toSigningBody(form, variant));
  const messageFields = [fields.subject, fields.message];
  const allBodies = [
    ...bodies,
    ...bodies.map((body) => Object.fromEntries(Object.entries(body).filter(([name]) => !messageFields.includes(name)))),
  ];
  return getTemplateValueBodies(form.values ?? []).flatMap((values) =>
    allBodies.map((body) => ({ ...body, ...values })),
  );
}

/** §4: bodies for the values of a template's fields. */
export function getTemplateValueBodies(values: NonNullable<SigningForm['values']>): Record<string, unknown>[] {
  if (values.length === 0) return [{}];
  const byName = Object.fromEntries(values.map(({ name, value }) => [name, value]));
  return [{ fields: values }, { field_values: byName }, { custom_fields: values }];
}

/** §2: lists of a template's record that name its fields, names in their entries, and kinds that only a signer fills. */
export const TEMPLATE_FIELDS = {
  lists: splitWords(`fields merge_fields custom_fields placeholders variables tokens`),
  name: splitWords(`name key api_id id`),
  label: splitWords(`label title`),
  kind: splitWords(`type kind`),
  signerKind: /sign|initial/i,
  // If fields name a placeholder, the placeholders are the roles of signers.
  signerRole: splitWords(`placeholder_name`),
  signerRoles: splitWords(`placeholders`),
} as const;

function getFirstNames<Key extends string>(lists: Readonly<Record<Key, readonly string[]>>): Record<Key, string> {
  // fromEntries widens the keys of `lists`.
  return Object.fromEntries(
    Object.entries<readonly string[]>(lists).map(([key, [first = key]]) => [key, first]),
  ) as Record<Key, string>;
}

function toSigningBody(form: SigningForm, { fields, signer }: SigningFieldNames): Record<string, unknown> {
  return {
    [fields.name]: form.name,
    [fields.template]: form.template,
    [fields.document]: form.document,
    [fields.signers]: form.signers.map((one) =>
      Object.fromEntries(Object.entries(one).map(([name, value]) => [signer[name as keyof typeof signer], value])),
    ),
    [fields.subject]: form.subject,
    [fields.message]: form.message,
  };
}

/** §4: bodies of a send to try; without subject and message only if the agreement has accepted them. */
export function getSigningSendBodies(
  { subject, message }: Pick<SigningForm, 'subject' | 'message'>,
  { names, isAccepted }: { names: SigningFieldNames; isAccepted: boolean },
): Record<string, unknown>[] {
  const { fields } = names;
  const [, alternativeSubject = fields.subject] = SIGNING_FIELDS.subject;
  const [, alternativeMessage = fields.message] = SIGNING_FIELDS.message;
  return [
    { [fields.subject]: subject, [fields.message]: message },
    { [alternativeSubject]: subject, [alternativeMessage]: message },
    ...(isAccepted ? [{}] : []),
  ];
}
