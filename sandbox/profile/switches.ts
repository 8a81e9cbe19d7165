import { PAGING_PRESET_NAMES } from './paging-presets.ts';

/**
 * A detail that the API document leaves open, as data: its section, what the switch decides, and its
 * settings. The first setting is the default.
 */
export interface Switch {
  readonly section: `§${number}`;
  readonly decides: string;
  readonly settings: readonly [string, string, ...string[]];
  /** Never chosen at random, only by name. */
  readonly byName?: true;
}

const defineSwitches = <const S extends Record<string, Switch>>(switches: S): S => switches;

export const SWITCHES = defineSwitches({
  envelope: {
    section: '§4',
    decides: 'body of a list response',
    settings: ['data', 'bare', 'items', 'resource', 'results', 'nested'],
  },
  paging: {
    section: '§4',
    decides: 'how lists are paginated (a bare array needs a Link header)',
    settings: ['cursor', 'none', ...PAGING_PRESET_NAMES],
  },
  pagingLocation: {
    section: '§4',
    decides: 'place of the pagination fields in a list response',
    settings: ['top', 'meta', 'pagination', 'paging', 'page_info'],
  },
  cursorName: {
    section: '§4',
    decides: 'name of the cursor in the response (and in the query)',
    settings: ['next_cursor', 'next_page_token', 'end_cursor'],
  },
  pageSize: { section: '§4', decides: 'default page size', settings: ['25', '3', '10', '100'] },
  maxPageSize: { section: '§4', decides: 'maximum page size', settings: ['100', '25'], byName: true },
  order: { section: '§4', decides: 'order of lists', settings: ['newest', 'oldest'], byName: true },
  listFilters: {
    section: '§4',
    decides: 'whether lists support `name`, `email`, `q` and `search`, and `sort=-created_at`',
    settings: ['none', 'filters', 'filters+sort'],
    byName: true,
  },
  item: { section: '§4', decides: 'whether a single object is wrapped', settings: ['plain', 'data', 'named'] },
  naming: { section: '§4', decides: 'case of field names', settings: ['snake', 'camel', 'pascal'] },
  ids: {
    section: '§2',
    decides: 'format of new IDs (a document ID is always a string)',
    settings: ['prefixed', 'uuid', 'digits', 'numbers'],
  },
  dates: { section: '§2', decides: 'format of times', settings: ['iso', 'epoch-seconds', 'epoch-ms'] },
  nulls: {
    section: '§2',
    decides: 'whether fields without a value are null or omitted',
    settings: ['given', 'omitted'],
  },
  extras: { section: '§2', decides: 'undocumented extra fields', settings: ['none', 'some', 'many'] },
  contentType: {
    section: '§4',
    decides: 'media type of JSON responses',
    settings: ['application/json', 'application/json; charset=utf-8', 'application/vnd.api+json'],
  },
  createStatus: { section: '§7', decides: 'status of create requests', settings: ['201', '200', '202'] },
  createResponse: {
    section: '§4',
    decides: 'response to create requests that have no documented fields',
    settings: ['object', 'id'],
  },
  updateResponse: {
    section: '§4',
    decides: 'response to update and send requests',
    settings: ['object', 'empty-204', 'empty-200', 'empty-202', 'ok'],
  },
  deleteResponse: {
    section: '§4',
    decides: 'response to delete requests',
    settings: ['empty-204', 'object-200', 'empty-200', 'empty-202'],
  },
  undocumentedDeletes: {
    section: '§4',
    decides: 'whether undocumented deletions work ("the full set of operations … not shown")',
    settings: ['documented', 'all'],
    byName: true,
  },
  writeResponse: {
    section: '§7',
    decides: 'response to writes that have no documented fields',
    settings: ['object', 'text', 'queued', 'empty', 'cut', 'scalar', 'list'],
    byName: true,
  },
  download: {
    section: '§4',
    decides: 'response to downloads',
    settings: ['url', 'download_url', 'downloadUrl', 'signed_url', 'nested', 'redirect-302', 'redirect-307', 'bytes'],
  },
  errors: {
    section: '§7',
    decides: 'body of errors',
    settings: [
      'json',
      'flat',
      'list',
      'problem',
      'text',
      'html',
      'by-field',
      'laravel',
      'fastapi',
      'json-api',
      'texts',
      'zod',
      'graphql',
    ],
  },
  wrongKey: { section: '§7', decides: 'status for a missing or wrong key', settings: ['401', '403'] },
  missingScope: { section: '§7', decides: 'status for a missing scope', settings: ['403', '401', '404'] },
  unknownId: { section: '§7', decides: 'status for an unknown ID', settings: ['404', '400', '410'] },
  badBody: { section: '§7', decides: 'status for an invalid body', settings: ['422', '400'] },
  conflict: { section: '§7', decides: 'status for a conflict with the current state', settings: ['409', '400', '422'] },
  requestId: { section: '§7', decides: 'header of the request id', settings: ['x-request-id', 'request-id', 'none'] },
  rateLimiter: {
    section: '§8',
    decides: 'how 120 requests per minute are counted',
    settings: ['sliding', 'fixed', 'bucket', 'burst'],
  },
  rateLimitCounts: { section: '§8', decides: 'whether rejected requests count', settings: ['accepted', 'all'] },
  rateLimitHeaders: {
    section: '§8',
    decides: 'how a 429 response says when to retry',
    settings: ['seconds', 'date', 'ratelimit', 'ratelimit-policy', 'x-ratelimit', 'none'],
  },
  uploadBody: {
    section: '§4',
    decides: 'required fields of an upload start',
    settings: [
      'none',
      'filename+content_type+size',
      'fileName+contentType+size',
      'filename+content_type',
      'name+size',
      'file_name+content_type+file_size',
    ],
  },
  encryption: {
    section: '§4',
    decides: 'encryption header that storage requires',
    settings: ['AES256', 'aws:kms', 'none'],
  },
  storageOrigin: { section: '§4', decides: 'origin of upload and download URLs', settings: ['same', 'other-port'] },
  uploadStatus: { section: '§4', decides: 'status of a stored upload', settings: ['200', '201', '204'] },
  urlTtlSeconds: {
    section: '§8',
    decides: 'lifetime of upload URLs in seconds (download URLs: a third)',
    settings: ['900', '180', '3600'],
  },
  webhookBody: {
    section: '§6',
    decides: 'required fields of a webhook registration',
    settings: ['url+events', 'url+event_types', 'endpoint_url+events', 'target_url+event', 'url+event'],
  },
  webhookSecretField: {
    section: '§6',
    decides: 'field of the signing secret in the response to a registration',
    settings: ['secret', 'signing_secret', 'none'],
  },
  eventShape: { section: '§6', decides: 'body of events', settings: ['standard', 'object', 'payload', 'flat'] },
  signature: {
    section: '§6',
    decides: 'signature of events',
    settings: ['standard-webhooks', 't-v1', 'hex', 'sha256-hex', 'base64', 'none'],
  },
  retries: { section: '§6', decides: 'retries of undelivered events', settings: ['backoff', 'quick', 'none'] },
});

export type SwitchName = keyof typeof SWITCHES;

/** One setting of every switch: a complete service that complies with the API document. */
export type SandboxProfile = { readonly [K in SwitchName]: (typeof SWITCHES)[K]['settings'][number] };

export const SWITCH_NAMES = Object.keys(SWITCHES) as readonly SwitchName[];

/** Every switch at its first setting. */
export const DEFAULT_PROFILE = Object.fromEntries(
  SWITCH_NAMES.map((name) => [name, SWITCHES[name].settings[0]]),
  // fromEntries widens the types of SWITCHES.
) as SandboxProfile;

export function isSetting(name: string, setting: string): boolean {
  const found: Switch | undefined = Object.hasOwn(SWITCHES, name) ? SWITCHES[name as SwitchName] : undefined;
  return found?.settings.includes(setting) ?? false;
}
