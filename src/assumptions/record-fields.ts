/**
 * Assumptions of no-code forms about names that the document leaves open ("not shown"): fields of records and of
 * requests. A dotted name is a field of a nested object; forms let people add or override any field by name.
 */
import { splitWords } from '../split-words.ts';

/** An amount may be an object with its currency, and a currency one with its code. */
const AMOUNTS = splitWords(`total_amount total amount grand_total value total_price pricing.total`);
const CURRENCIES = splitWords(`currency currency_code currency.code`);

function getPaths(objects: readonly string[], fields: readonly string[]): readonly string[] {
  return objects.flatMap((object) => fields.map((field) => `${object}.${field}`));
}

/**
 * §2 "Fields of every other resource … not shown": names of well-known values in records. Readers match each
 * name in any case and with any separator.
 */
export const RECORD_FIELDS = {
  documentId: splitWords(`document_id document.id file_id`),
  documentName: splitWords(`document_name document.name document.title`),
  linkId: splitWords(`link_id link.id share_link_id`),
  linkName: splitWords(`link_name link.name link.title`),
  linkUrl: splitWords(`link_url link.url share_url url`),
  visit: splitWords(`visit view`),
  visitId: splitWords(`visit_id visit.id view_id view.id session_id`),
  agreementId: splitWords(`agreement_id agreement.id envelope_id envelope.id signature_request_id`),
  agreementName: splitWords(`agreement_name agreement.name agreement.title envelope.name envelope.title`),
  templateId: splitWords(`template_id template.id`),
  templateName: splitWords(`template_name template.name template.title`),
  roomId: splitWords(`room_id room.id dataroom_id dataroom.id`),
  roomName: splitWords(`room_name room.name room.title dataroom.name`),
  status: splitWords(`status state stage`),
  url: splitWords(`url share_url public_url link href`),
  email: splitWords(`email email_address primary_email`),
  firstName: splitWords(`first_name given_name`),
  lastName: splitWords(`last_name family_name surname`),
  fullName: splitWords(`name full_name display_name`),
  phone: splitWords(`phone phone_number mobile telephone`),
  tags: splitWords(`tags labels tag_names`),
  amount: [...AMOUNTS, ...getPaths(AMOUNTS, ['amount', 'value'])],
  currency: [...CURRENCIES, ...getPaths([...AMOUNTS, 'pricing'], CURRENCIES)],
  items: splitWords(`items line_items pricing.items products`),
  itemName: splitWords(`name title description product`),
  quantity: splitWords(`quantity qty count`),
  unitPrice: splitWords(`unit_price price amount unit_amount unit_price.amount price.amount`),
  company: splitWords(
    `company company_name account account_name account.name organization company.name organization.name`,
  ),
  emailRequired: splitWords(`email_required require_email`),
  pageCount: splitWords(`page_count num_pages pages_count total_pages pages`),
  sizeBytes: splitWords(`size size_bytes file_size bytes`),
  contentType: splitWords(`content_type mime_type file_type type`),
  updatedAt: splitWords(`updated_at modified_at last_modified`),
  expiresAt: splitWords(`expires_at expiry expiration expire_at expires_on`),
  sentAt: splitWords(`sent_at dispatched_at`),
  signedAt: splitWords(`signed_at completed_at finished_at executed_at`),
  isSigned: splitWords(`is_complete is_completed completed is_signed has_completed has_signed`),
  viewedAt: splitWords(`viewed_at started_at visited_at occurred_at last_viewed_at last_seen_at opened_at`),
  durationSeconds: splitWords(`duration_seconds total_seconds seconds duration time_spent time_spent_seconds`),
  pagesViewed: splitWords(`pages_viewed viewed_pages page_views`),
  completion: splitWords(`completion completion_percent completion_rate percent_viewed`),
  visitorEmail: splitWords(`visitor_email viewer_email visitor.email viewer.email contact.email email`),
  visitorName: splitWords(`visitor_name viewer_name visitor.name viewer.name contact.name full_name`),
  country: splitWords(`country country_code location.country geo.country visitor.country`),
  signerEmail: splitWords(`signer_email signed_by_email recipient_email signer.email signed_by.email`),
  signerName: splitWords(`signer_name signed_by_name recipient_name signer.name signed_by.name`),
} as const;

/** §2: an agreement's recipients. */
export const RECIPIENT_FIELDS = splitWords(`recipients signers signatories participants parties`);

/** §2: names of an agreement's status, also those with a noun such as Zoho Sign's `request_status`. */
export const AGREEMENT_STATUS_FIELDS = splitWords(`status state stage agreement_status envelope_status request_status`);

/** §3 "No state names … are given": states in which an agreement counts as signed. */
export const SIGNED_STATES = splitWords(
  `signed completed complete executed finished finalized done fully_signed fully_executed all_signed`,
);

export interface Recipient {
  readonly email: string;
  readonly name?: string;
}

/** §3: states in which an agreement has ended unsigned. */
export const ENDED_STATES = splitWords(
  `declined rejected refused voided void canceled cancelled revoked withdrawn recalled expired lapsed deleted`,
);

/** §3: states that mean one kind of end without a signature, in any spelling. */
export const END_PATTERNS = {
  declined: /declin|reject|refus/i,
  voided: /void|cancel|revok|withdr|recall|terminat|abandon/i,
  expired: /expir|laps|timed_?out/i,
} as const;
/** §3: states that mean an end without a signature, by their meaning. */
export const ENDED_STATE_PATTERN = new RegExp(
  [...Object.values(END_PATTERNS).map(({ source }) => source), 'fail|bounc|delet|undeliver'].join('|'),
  'i',
);

/** §3: states of a sent agreement, by their meaning, such as `awaiting_signature`. */
export const AWAITS_SIGNERS_PATTERN = /(?:wait|pending).*_sign|^inprogress$/;

/** §3: status changes to wait for in an agreement or proposal, and the state names that may report each. */
export const STATUS_CHANGES = {
  sent: splitWords(`sent pending waiting delivered out_for_signature in_progress`),
  viewed: splitWords(`viewed opened seen read`),
  completed: SIGNED_STATES,
  accepted: splitWords(`accepted won approved signed completed`),
  declined: splitWords(`declined rejected refused lost`),
  voided: splitWords(`voided void canceled cancelled revoked withdrawn recalled`),
  expired: splitWords(`expired lapsed`),
} as const;

/** §3: states of an agreement or proposal that has not been sent. */
export const DRAFT_STATES = splitWords(`draft new created prepared preparing in_preparation unsent not_sent`);

/** §3: the changes to wait for in an agreement, and in a proposal. */
export const AGREEMENT_CHANGES = ['sent', 'viewed', 'completed', 'declined', 'voided', 'expired'] as const;
export const PROPOSAL_CHANGES = ['sent', 'viewed', 'accepted', 'declined', 'expired'] as const;

/** §6 "The complete list of event kinds: not shown": possible event kinds for the end of an agreement. */
export const AGREEMENT_END_EVENTS = splitWords(`envelope.declined envelope.voided envelope.expired`);

/** §3: states in which an agreement waits for its signers. */
export const SENT_STATES = splitWords(`sent pending waiting delivered viewed out_for_signature in_progress`);

/** §3: words in the names of states after the sending. */
export const SENT_STATE_PATTERN = /sent|pending|wait|deliver|view|out_for|progress|partial/;

/** §3: part of a state's name that is about signing. A draft that waits to be sent has none. */
export const SIGNING_STATE_PATTERN = /(?:^|_)sign/;

/** §3: those of the sent states that may also mean a draft that waits to be sent. */
export const SENT_OR_DRAFT_STATES = splitWords(`pending waiting in_progress`);

/** Texts of a form that may be missing. */
type Texts<Names extends string> = { readonly [Name in Names]?: string | undefined };

/**
 * §4 "bodies of the rows without a stated body … not shown": for each form, the bodies to try in turn while
 * the service rejects them, likeliest first. Undefined fields are left out.
 */
export const FORM_BODIES = {
  room: ({ name, description }: Texts<'name' | 'description'>) => [
    { name, description },
    { title: name, description },
  ],
  roomFolder: ({ name, parentId }: Texts<'name' | 'parentId'>) => [
    { name, parent_id: parentId },
    { name, parentId },
    { name, parent_folder_id: parentId },
  ],
  roomFile: ({ documentId, folderId }: Texts<'documentId' | 'folderId'>) => [
    { document_id: documentId, folder_id: folderId },
    { documentId, folderId },
  ],
  roomGroup: ({ name, emails }: { name: string; emails?: readonly string[] | undefined }) => [
    { name, emails },
    { name, members: emails?.map((email) => ({ email })) },
  ],
  roomPermissions: (entries: readonly object[]) => [{ permissions: entries }],
  /** One entry of a room's permission matrix. */
  roomPermission: (entry: { group: string; access: string; folder?: string | undefined }) => ({
    group_id: entry.group,
    ...(entry.folder === undefined ? {} : { folder_id: entry.folder }),
    access: entry.access,
  }),
  agreement: (
    form: Texts<'name' | 'documentId' | 'templateId' | 'message'> & { recipients?: readonly Recipient[] },
  ) => {
    const { name, message, recipients } = form;
    const source = { document_id: form.documentId, template_id: form.templateId };
    return [
      { name, ...source, recipients, message },
      { name, ...source, signers: recipients, message },
      { title: name, ...source, recipients, message },
      { title: name, ...source, signers: recipients, message },
    ];
  },
  send: ({ recipients = [], message }: { recipients?: readonly Recipient[]; message?: string | undefined }) => {
    const [first, ...others] = recipients;
    if (!first) return [{ message }];
    const lists = [
      { recipients, message },
      { signers: recipients, message },
    ];
    // The last form has room for one person: the others would be lost.
    return others.length > 0 ? lists : [...lists, { email: first.email, name: first.name, message }];
  },
  proposal: (form: Texts<'name' | 'message'> & { recipients?: readonly Recipient[]; items?: readonly object[] }) => {
    const { name, recipients, message, items } = form;
    return [
      { name, recipients, message, items },
      { title: name, recipients, message, items },
      { name, recipients, message, line_items: items },
      { title: name, recipients, message, line_items: items },
    ];
  },
  template: ({ name, description, documentId }: Texts<'name' | 'description' | 'documentId'>) => [
    { name, description, document_id: documentId },
    { title: name, description, document_id: documentId },
  ],
  contact: (form: Texts<'email' | 'name' | 'company'> & { tags?: readonly string[] }) => {
    const { email, name, company, tags } = form;
    const [first, ...rest] = name?.trim().split(/\s+/) ?? [];
    return [
      { email, name, company, tags },
      { email, full_name: name, company, tags },
      { email, first_name: first, last_name: rest.length > 0 ? rest.join(' ') : undefined, company, tags },
    ];
  },
  contactTags: (tags: readonly string[]) => [{ tags }, { tag_names: tags }, { names: tags }],
};

/** §4: field names of a form's own inputs in any of its bodies; not offered as additional fields. */
export const FORM_FIELD_NAMES = {
  agreement: splitWords(`name title message recipients signers`),
  contact: splitWords(`email name full_name company tags`),
  link: splitWords(`document_id email_required name`),
  // The price list sets the amount.
  proposal: splitWords(`name title message recipients items total_amount total amount grand_total value`),
  room: splitWords(`name title description folders files groups permissions`),
  template: splitWords(`name title description fields`),
} as const;

/** §4: access levels of a room's permission matrix. */
export const ACCESS_LEVELS = { none: 'No access', view: 'View', download: 'View and download' } as const;

/** §4: where an entry of a permission matrix names its group and folder. */
export const PERMISSION_FIELDS = {
  group: splitWords(`group_id group.id group`),
  folder: splitWords(`folder_id folder.id folder`),
  file: splitWords(`file_id file.id file document_id document.id document`),
  other: splitWords(`resource_id resource.id resource target_id target.id target item_id item.id item object_id`),
} as const;

/** §2: where a room's record holds its folders, files, visitor groups and permission matrix. */
export const ROOM_PARTS = { folders: 'folders', files: 'files', groups: 'groups', permissions: 'permissions' } as const;

/** §2: where a folder of a room may hold its subfolders. */
export const SUBFOLDER_FIELDS = splitWords(`folders subfolders children`);

/** §4: where an added file or folder has the ID of the folder that contains it. */
export const ROOM_PLACE_FIELDS = {
  file: splitWords(`folder_id folder.id parent_folder_id`),
  folder: splitWords(`parent_id parent.id parent_folder_id`),
} as const;

/** §4: lists of a visitor group's members. */
export const GROUP_MEMBER_FIELDS = splitWords(`emails members visitors viewers`);

/** §2: where a room's file names its document. */
export const ROOM_FILE_DOCUMENT_FIELDS = splitWords(`document_id document.id document source_document_id`);

/** §2 "field names are not shown": names to set each gate of a link, and further ones that show it. */
export const GATES = {
  password: {
    names: splitWords(`password passcode`),
    readNames: splitWords(`password_required has_password password_set
      password_protected is_password_protected requires_password`),
  },
  expiry: { names: splitWords(`expires_at expiry expiration expire_at expires_on expiration_date`) },
  nda: { names: splitWords(`nda_required require_nda nda`) },
  visitors: { names: splitWords(`max_visitors visitor_cap visitor_limit visitors_limit`) },
  download: { names: splitWords(`download_allowed allow_download downloads_allowed can_download`) },
} as const;

/** §2: further fields of a link, in snake case, that limit who can open it, how often or how long. */
export const LINK_LIMIT_PATTERN =
  /^(?:allow|permit|block|deny|denied|restrict|white_?list|black_?list)|(?:domains?|viewers|_list)$|expir|^max_|_limit$/;

/** §2: objects of a link's record that may hold its gates one level down. */
export const GATE_CONTAINERS = splitWords(`settings gates access security controls options`);

/** §2: values that mean on, or off. */
export const ON_VALUE_PATTERN = /^(true|yes|on|1|required|enabled|active)$/i;
export const OFF_VALUE_PATTERN = /^(false|no|off|0|none|disabled|optional|inactive)$/i;

/** §2: fields of a gate shown as an object that say whether it is on. Lower case, without separators. */
export const GATE_STATE_PATTERN = /^(?:is|has)?(?:enabled|required|active|on|set|allowed|status|state)$/;

/** §2: field of a link that names its room. */
export const ROOM_FIELD = 'room_id';

/** §2: a permission matrix's own fields; any other may be an entry. Lower case, without separators. */
export const MATRIX_ENVELOPE_FIELDS = splitWords(`object id type roomid updatedat createdat`);

/** §4 "response shape: not shown": a workspace's name, or ID, in a list's envelope or its records. */
export const WORKSPACE_NAME_FIELDS = splitWords(`workspace.name workspace_name workspace.title`);
export const WORKSPACE_ID_FIELDS = splitWords(`workspace workspace_id workspace.id`);
export const WORKSPACE_ENVELOPES = splitWords(`meta context`);

/** §5 "the application's Settings → API keys": the URL is not shown. Set it before the app is published. */
export const API_KEYS_URL = 'https://docshare.example.com/settings/api-keys';
