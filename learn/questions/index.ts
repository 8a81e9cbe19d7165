import { LIST_QUESTIONS } from './list-questions.ts';
import { METRIC_QUESTIONS } from './metric-questions.ts';
import { OBJECT_QUESTIONS } from './object-questions.ts';
import { QUERY_QUESTIONS } from './query-questions.ts';
import type { Question } from './question.ts';
import { REJECTION_QUESTIONS } from './rejection-questions.ts';
import { WRITE_QUESTIONS } from './write-questions.ts';

const TABLES = [
  LIST_QUESTIONS,
  QUERY_QUESTIONS,
  OBJECT_QUESTIONS,
  METRIC_QUESTIONS,
  REJECTION_QUESTIONS,
  WRITE_QUESTIONS,
];

export const QUESTIONS: readonly Question[] = TABLES.flatMap((table) =>
  Object.entries(table).map(([name, definition]) => ({ name, ...definition })),
);

const APPROVAL_NAMES =
  'Chooses what a question shows or what an approval covers; a response could only show further names.';

/** Exported assumptions that no response can verify, each with the reason. */
export const UNVERIFIABLE_ASSUMPTIONS: Readonly<Record<string, string>> = {
  getUpdatedFilters: 'Each poll of a Zap checks the answer for the newest known change before it relies on the filter.',
  API_KEYS_URL: 'The page that creates keys is not part of the API, so no response names it.',
  LINK_LIMIT_PATTERN: 'Learning creates no link; Zaps check afterwards that a link shows its limits.',
  ROOM_PLACE_FIELDS: 'Learning adds nothing to a room; Zaps check the response of each addition.',
  GROUP_MEMBER_FIELDS: 'Learning adds nothing to a room; Zaps check the response of each addition.',
  SUBFOLDER_FIELDS: 'Learning adds nothing to a room; other names hide inner folders from drop-downs.',
  GATE_STATE_PATTERN: 'Learning creates no link; Zaps check afterwards that a link shows its gates.',
  isSecretName: 'This project decides what it redacts; a response could only show that it must redact more.',
  MAX_BATCH_EVENTS: 'A limit of this project against oversized deliveries.',
  SIGNATURE_TOLERANCE_MS: 'A limit of this project; no run waits long enough to see a later signature.',
  DEFAULT_SIGNATURE_HEADERS: 'The headers that this project uses to sign test events.',
  EXPIRED_URL_STATUSES: 'Visible only when a URL expires, and URLs in responses are never followed.',
  PERSON_NAME_FIELDS: 'Used only where a record has no full name; a wrong guess shows its title or email address.',
  FAILED_2XX: 'No known request provokes a failure with a 2xx status.',
  'mcp/APPROVAL_BASIS_FIELDS': APPROVAL_NAMES,
  'mcp/CHANGED_AT_FIELDS': APPROVAL_NAMES,
  'mcp/DOCUMENT_FIELDS': APPROVAL_NAMES,
  'mcp/DRAFT_TEXT_FIELDS': APPROVAL_NAMES,
  'mcp/SENT_TEXT_FIELDS': APPROVAL_NAMES,
  'mcp/TEMPLATE_CONTENT_FIELDS': APPROVAL_NAMES,
  'mcp/DOCUMENT_FILE_FIELDS': APPROVAL_NAMES,
  'mcp/ACTIVITY_FIELDS': APPROVAL_NAMES,
  'mcp/ACCESS_FIELD_PATTERN': APPROVAL_NAMES,
  'mcp/PRICE_FIELD_PATTERN': APPROVAL_NAMES,
  'mcp/OWN_EMAIL_FIELD_PATTERN': APPROVAL_NAMES,
  'mcp/RECIPIENT_EMAIL_PATTERN': APPROVAL_NAMES,
  'mcp/RECIPIENT_PATH_PATTERN': APPROVAL_NAMES,
  'mcp/USUAL_FIELDS': 'Suggestions in descriptions, which a profile replaces.',
  'mcp/USUAL_EVENTS': 'Suggestions in a description; only an event shows that its kind exists.',
  'mcp/ID_PATTERN': 'Decides only what is asked for first; every list is searched anyway.',
  'mcp/LINK_TARGET_PATTERN': 'Decides only which links a question names; it also names those without such a field.',
  'mcp/ID_PREFIXES': 'Decides only what is asked for first; every list is searched anyway.',
  'mcp/ACTIVITY_TIME_PATTERN': 'Names of times that appear when somebody signs or views, which no run does.',
  TIME_FILTER: 'The caller chooses the filter; learning uses none.',
  getSigningSendBodies: 'Learning never sends anything to anyone.',
};
