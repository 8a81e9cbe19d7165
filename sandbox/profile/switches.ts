import { PAGING_PRESET_NAMES } from './paging-presets.ts';

/**
 * What the API document leaves open, as data: each switch with its section, what it decides, and its
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
    decides: 'what a list answer is',
    settings: ['data', 'bare', 'items', 'resource', 'results', 'nested'],
  },
  paging: {
    section: '§4',
    decides: 'how a list goes on (a bare array can only say so in a Link header)',
    settings: ['cursor', 'none', ...PAGING_PRESET_NAMES],
  },
  pagingPlace: {
    section: '§4',
    decides: 'where a list answer says how it goes on',
    settings: ['top', 'meta', 'pagination', 'paging', 'page_info'],
  },
  cursorName: {
    section: '§4',
    decides: 'what the cursor is called in the answer (and in the query)',
    settings: ['next_cursor', 'next_page_token', 'end_cursor'],
  },
  pageSize: {
    section: '§4',
    decides: 'how many entries a page holds when the query does not say',
    settings: ['25', '3', '10', '100'],
  },
  largestPage: {
    section: '§4',
    decides: 'how many entries a page holds at most, whatever the query asks for',
    settings: ['100', '25'],
    byName: true,
  },
  order: {
    section: '§4',
    decides: 'what a list begins with',
    settings: ['newest', 'oldest'],
    byName: true,
  },
  narrowing: {
    section: '§4',
    decides: 'whether a list heeds `name`, `email`, `q` and `search`, and `sort=-created_at`',
    settings: ['none', 'filters', 'filters+sort'],
    byName: true,
  },
  item: {
    section: '§4',
    decides: 'whether a single object is wrapped',
    settings: ['plain', 'data', 'named'],
  },
  naming: {
    section: '§4',
    decides: 'the case of field names',
    settings: ['snake', 'camel', 'pascal'],
  },
  ids: {
    section: '§2',
    decides: 'the form of new ids (a document id is a string in every form)',
    settings: ['prefixed', 'uuid', 'digits', 'numbers'],
  },
  dates: {
    section: '§2',
    decides: 'the form of points in time',
    settings: ['iso', 'epoch-seconds', 'epoch-ms'],
  },
  nulls: {
    section: '§2',
    decides: 'whether fields without a value are given as null',
    settings: ['given', 'omitted'],
  },
  extras: {
    section: '§2',
    decides: 'further fields that no one announced',
    settings: ['none', 'some', 'many'],
  },
  contentType: {
    section: '§4',
    decides: 'the media type of JSON answers',
    settings: ['application/json', 'application/json; charset=utf-8', 'application/vnd.api+json'],
  },
  created: {
    section: '§7',
    decides: 'the status of a creation',
    settings: ['201', '200', '202'],
  },
  createdBody: {
    section: '§4',
    decides: 'what a creation gives back where the document names no field',
    settings: ['object', 'id'],
  },
  updated: {
    section: '§4',
    decides: 'what an update or a send answers',
    settings: ['object', 'empty-204', 'empty-200', 'empty-202', 'ok'],
  },
  deleted: {
    section: '§4',
    decides: 'what a deletion answers',
    settings: ['empty-204', 'object-200', 'empty-200', 'empty-202'],
  },
  removals: {
    section: '§4',
    decides: 'whether more can be deleted than the document shows ("the full set of operations … not shown")',
    settings: ['documented', 'all'],
    byName: true,
  },
  written: {
    section: '§7',
    decides: 'what a write answers where the document promises no field',
    settings: ['object', 'text', 'queued', 'empty', 'cut', 'scalar', 'list'],
    byName: true,
  },
  download: {
    section: '§4',
    decides: 'how a file is answered',
    settings: [
      'url',
      'download_url',
      'downloadUrl',
      'signed_url',
      'nested',
      'redirect-302',
      'redirect-307',
      'bytes',
    ],
  },
  errors: {
    section: '§7',
    decides: 'the body of an error',
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
  wrongKey: { section: '§7', decides: 'the status for a missing or wrong key', settings: ['401', '403'] },
  missingScope: {
    section: '§7',
    decides: 'the status for a missing scope',
    settings: ['403', '401', '404'],
  },
  unknownId: { section: '§7', decides: 'the status for an unknown id', settings: ['404', '400', '410'] },
  badBody: {
    section: '§7',
    decides: 'the status for a body that does not fit',
    settings: ['422', '400'],
  },
  conflict: {
    section: '§7',
    decides: 'the status for an act that the state forbids',
    settings: ['409', '400', '422'],
  },
  requestId: {
    section: '§7',
    decides: 'the header that names a request',
    settings: ['x-request-id', 'request-id', 'none'],
  },
  limiter: {
    section: '§8',
    decides: 'how 120 requests a minute are counted',
    settings: ['sliding', 'fixed', 'bucket', 'burst'],
  },
  limitCounts: {
    section: '§8',
    decides: 'whether refused requests use up the limit too',
    settings: ['accepted', 'all'],
  },
  limitHint: {
    section: '§8',
    decides: 'what a 429 says about when to come back',
    settings: ['seconds', 'date', 'ratelimit', 'ratelimit-policy', 'x-ratelimit', 'none'],
  },
  uploadBody: {
    section: '§4',
    decides: 'which fields the start of an upload demands',
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
    decides: 'the encryption header that storage demands',
    settings: ['AES256', 'aws:kms', 'none'],
  },
  storageOrigin: {
    section: '§4',
    decides: 'where upload and download addresses point',
    settings: ['same', 'other-port'],
  },
  storedStatus: { section: '§4', decides: 'the status of a stored upload', settings: ['200', '201', '204'] },
  addressLife: {
    section: '§8',
    decides: 'how many seconds an upload address lives (a download address: a third of it)',
    settings: ['900', '180', '3600'],
  },
  webhookBody: {
    section: '§6',
    decides: 'which fields a webhook registration demands',
    settings: ['url+events', 'url+event_types', 'endpoint_url+events', 'target_url+event', 'url+event'],
  },
  subscription: {
    section: '§6',
    decides: 'whether the answer to a registration holds the signing secret',
    settings: ['secret', 'signing_secret', 'none'],
  },
  eventShape: {
    section: '§6',
    decides: 'the body of an event',
    settings: ['standard', 'object', 'payload', 'flat'],
  },
  signature: {
    section: '§6',
    decides: 'how an event is signed',
    settings: ['standard-webhooks', 't-v1', 'hex', 'sha256-hex', 'base64', 'none'],
  },
  retries: {
    section: '§6',
    decides: 'how an undelivered event is tried again',
    settings: ['backoff', 'quick', 'none'],
  },
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
