import { StateConfigError } from './encryptor.ts';

interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Parsed DOCSHARE_REDIS_URL. */
export interface RedisConfig {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  /** One server, the sentinels, or some nodes of the cluster. */
  readonly nodes: readonly RedisNode[];
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  /** Name of the Sentinel master. */
  readonly master?: string;
  readonly sentinelPassword?: string;
}

/** Avoids `@` and `password=`, because terminal output is redacted at such patterns. */
const SUPPORTED_FORMATS = [
  'DOCSHARE_REDIS_URL must be redis://host[:port][/db]',
  'redis-sentinel://host,host…/master[?db=N]',
  'or redis-cluster://host,host…; rediss for TLS. Put user:password and an at sign before the first host',
  'and the password of the sentinels into the parameter sentinel_password.',
].join(', ');

/** @throws StateConfigError that lists the formats and never quotes the URL, which may contain a password. */
export function parseRedisUrl(text: string): RedisConfig {
  const match = /^(rediss?)(-sentinel|-cluster)?:\/\/(?:([^@/?]*)@)?([^/?#@]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/i.exec(
    text.trim(),
  );
  const [, scheme = '', schemeSuffix = '', user = '', hosts = '', path = '', query = ''] = match ?? [];
  const kind = schemeSuffix === '' ? 'single' : schemeSuffix.toLowerCase() === '-sentinel' ? 'sentinel' : 'cluster';
  const nodes = hosts.split(',').map((host) => parseNode(host, kind === 'sentinel' ? 26_379 : 6379));
  const search = new URLSearchParams(query);
  const unknown = [...search.keys()].some((name) => !['db', 'sentinel_password'].includes(name));
  const db = (kind === 'single' && path) || (search.get('db') ?? '');
  const isNodeCountValid = kind !== 'single' || nodes.length === 1;
  // Clusters only have database 0.
  const isDbValid = /^\d{0,4}$/.test(db) && (kind !== 'cluster' || Number(db) === 0);
  const isPathValid = kind === 'sentinel' ? path !== '' : kind === 'single' || path === '';
  if (!match || unknown || !isNodeCountValid || !isPathValid || !isDbValid)
    throw new StateConfigError(SUPPORTED_FORMATS);
  const [username, password] = user === '' ? [] : splitUser(user);
  const sentinelPassword = search.get('sentinel_password');
  return {
    kind,
    nodes,
    tls: scheme.toLowerCase() === 'rediss',
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(db === '' ? {} : { db: Number(db) }),
    ...(kind === 'sentinel' ? { master: decodeComponent(path) } : {}),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
  };
}

function parseNode(text: string, port: number): RedisNode {
  const found = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text);
  const nodePort = Number(found?.[2] ?? port);
  if (!found?.[1] || nodePort < 1 || nodePort > 65_535) throw new StateConfigError(SUPPORTED_FORMATS);
  return { host: found[1].replace(/^\[|\]$/g, ''), port: nodePort };
}

function splitUser(user: string): [string, string] {
  const colonIndex = user.indexOf(':');
  // In `redis://secret@host`, the text is the password.
  return colonIndex < 0
    ? ['', decodeComponent(user)]
    : [decodeComponent(user.slice(0, colonIndex)), decodeComponent(user.slice(colonIndex + 1))];
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StateConfigError(SUPPORTED_FORMATS);
  }
}
