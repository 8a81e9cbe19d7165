import { StateSettingError } from './seal.ts';

export interface Node {
  readonly host: string;
  readonly port: number;
}

/** What DOCSHARE_REDIS_URL says. */
export interface RedisAddress {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  /** One; or the sentinels, or some nodes of the cluster. */
  readonly nodes: readonly Node[];
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  /** The name of the master that the sentinels watch. */
  readonly master?: string;
  readonly sentinelPassword?: string;
}

/** Without an `@` and a password's `=`: what a terminal gets would lose them as secrets. */
const FORMS = [
  'DOCSHARE_REDIS_URL takes redis://host[:port][/db]',
  'redis-sentinel://host,host…/master[?db=N]',
  'or redis-cluster://host,host…; rediss for TLS. A user:password stands before the first host',
  'parted by an at sign; the password of sentinels behind all, as sentinel_password.',
].join(', ');

/** @throws StateSettingError that says the known forms, and never quotes the address, which may hold a password. */
export function readRedisAddress(text: string): RedisAddress {
  const parts =
    /^(rediss?)(-sentinel|-cluster)?:\/\/(?:([^@/?]*)@)?([^/?#@]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/i.exec(
      text.trim(),
    );
  const [, scheme = '', way = '', user = '', hosts = '', path = '', query = ''] = parts ?? [];
  const kind = way === '' ? 'single' : way.toLowerCase() === '-sentinel' ? 'sentinel' : 'cluster';
  const nodes = hosts.split(',').map((host) => readNode(host, kind === 'sentinel' ? 26_379 : 6379));
  const search = new URLSearchParams(query);
  const unknown = [...search.keys()].some((name) => !['db', 'sentinel_password'].includes(name));
  const db = kind === 'single' ? path || (search.get('db') ?? '') : (search.get('db') ?? '');
  const isOne = kind === 'single' && nodes.length === 1;
  // A cluster has only its first database.
  const isDbMeant = /^\d{0,4}$/.test(db) && (kind !== 'cluster' || Number(db) === 0);
  const isPathMeant = kind === 'sentinel' ? path !== '' : kind === 'single' || path === '';
  if (!parts || unknown || !(isOne || kind !== 'single') || !isPathMeant || !isDbMeant)
    throw new StateSettingError(FORMS);
  const [username, password] = user === '' ? [] : splitUser(user);
  const sentinelPassword = search.get('sentinel_password');
  return {
    kind,
    nodes,
    tls: scheme.toLowerCase() === 'rediss',
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(db === '' ? {} : { db: Number(db) }),
    ...(kind === 'sentinel' ? { master: decoded(path) } : {}),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
  };
}

function readNode(text: string, port: number): Node {
  const found = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text);
  const given = Number(found?.[2] ?? port);
  if (!found?.[1] || given < 1 || given > 65_535) throw new StateSettingError(FORMS);
  return { host: found[1].replace(/^\[|\]$/g, ''), port: given };
}

function splitUser(user: string): [string, string] {
  const cut = user.indexOf(':');
  // `redis://secret@host`: a name alone is no login.
  return cut < 0 ? ['', decoded(user)] : [decoded(user.slice(0, cut)), decoded(user.slice(cut + 1))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StateSettingError(FORMS);
  }
}
