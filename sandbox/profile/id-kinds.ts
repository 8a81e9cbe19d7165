/** Prefixes of ids, by the kind of object. */
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

/** `prefix` replaces the kind's own prefix. */
export type IdFormat = 'prefixed' | 'uuid' | 'digits' | 'numbers' | 'opaque' | { readonly prefix: string };
