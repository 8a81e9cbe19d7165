/** What an id of each kind of object begins with, where ids have such a prefix. */
export const ID_PREFIXES = {
  document: 'doc',
  link: 'lnk',
  room: 'room',
  folder: 'fld',
  file: 'rfl',
  group: 'grp',
  agreement: 'env',
  proposal: 'prp',
  template: 'tpl',
  contact: 'con',
  visitor: 'vtr',
  visit: 'vis',
  recipient: 'rcp',
  webhook: 'whk',
  event: 'evt',
  delivery: 'dlv',
  invoice: 'inv',
  request: 'req',
} as const;

export type ObjectKind = keyof typeof ID_PREFIXES;

/** `prefix`: with a beginning of its own instead of the kind's. */
export type IdFormat = 'prefixed' | 'uuid' | 'digits' | 'numbers' | 'opaque' | { readonly prefix: string };
