/** Creates the profile that a learner would write for a sandbox, from its switches and one page of each list. */

import { resolveProfile, type Sandbox, type SandboxProfile } from '../../sandbox/index.ts';
import { getPositionKind, usesHeaders } from '../../sandbox/profile/paging-preset.ts';
import { PAGING_PRESETS, type PagingPresetName } from '../../sandbox/profile/paging-presets.ts';
import { type ListProfile, type OperationProfile, operations, type ServiceProfile } from '../../src/index.ts';
import { readBodyBytes } from '../../src/transport/transport.ts';
import { createSchema, NOTHING_LEARNED } from './create-profile.ts';
import { withoutSocket } from './without-socket.ts';

export async function learnByHand(sandbox: Sandbox, name: string): Promise<ServiceProfile> {
  const profile = resolveProfile(name);
  const ids = { links: firstId(sandbox, 'links'), documents: firstId(sandbox, 'documents') };
  const called: [string, OperationProfile][] = [];
  for (const { name, operation } of operations) {
    if (operation.responseKind !== 'list') continue;
    const path = operation.route
      .slice('GET '.length)
      .replace(/\{id\}/, /links/.test(name + operation.route) ? ids.links : ids.documents);
    await sandbox.clock.advance(1000);
    const { headers, body: sent } = await withoutSocket({
      method: 'GET',
      url: sandbox.url + path,
      headers: { authorization: `Bearer ${sandbox.key()}` },
    });
    const { bytes } = await readBodyBytes(sent, 1_000_000);
    const raw: unknown = JSON.parse(Buffer.from(bytes).toString());
    const body = createSchema(raw);
    called.push([
      name,
      {
        response: { status: 200, media: headers['content-type']?.split(';')[0] ?? null, headers: {}, body, seen: 1 },
        list: {
          at: listAt(raw) ?? [],
          ...nextOf(profile, { raw, headers }),
          size: { default: Number(profile.pageSize), max: Number(profile.maxPageSize), param: sizeParam(profile) },
          query: {},
        },
      },
    ]);
  }
  return {
    ...NOTHING_LEARNED,
    service: sandbox.url,
    operations: Object.fromEntries(called),
    facts: { uploadStart: uploadBody(profile), webhook: webhookBody(profile) },
  };
}

function firstId(sandbox: Sandbox, group: 'links' | 'documents'): string {
  return String([...sandbox.snapshot().state[group].keys()][0]);
}

function styleOf({ paging }: SandboxProfile) {
  return paging === 'none' || paging === 'cursor' ? undefined : PAGING_PRESETS[paging as PagingPresetName];
}

function sizeParam(profile: SandboxProfile): string {
  return styleOf(profile)?.sizeParam ?? 'limit';
}

interface Seen {
  readonly raw: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

function nextOf(profile: SandboxProfile, seen: Seen): Pick<ListProfile, 'next'> {
  if (profile.paging === 'none') return { next: { by: 'none', params: [] } };
  const style = styleOf(profile);
  const isHeader = style !== undefined && usesHeaders(style);
  if ((profile.envelope === 'bare' && !isHeader) || 'link' in seen.headers)
    return { next: { by: 'url', header: 'link', params: [] } };
  const counts = style ? getPositionKind(style) : 'cursor';
  const param = cased(
    style?.next.params[0] ??
      { next_cursor: 'cursor', next_page_token: 'page_token', end_cursor: 'after' }[profile.cursorName],
    profile,
  );
  if (counts === 'cursor') {
    const at = pathTo(seen.raw, (value) => typeof value === 'string' && isCursor(value));
    const header = Object.entries(seen.headers).find(([, value]) => isCursor(value))?.[0];
    if (header !== undefined) return { next: { by: 'cursor', header, params: [param] } };
    return at ? { next: { by: 'cursor', at, params: [param] } } : {};
  }
  if (counts === 'id') return { next: { by: 'after-id', params: [param] } };
  if (counts === 'path') return { next: { by: 'url', header: 'link', params: [] } };
  const address = pathTo(seen.raw, isNextAddress);
  if (address && !address.includes('self')) return { next: { by: 'url', at: address, params: [] } };
  // Omits fields that only announce a next page, and lists of links, which have no path of names.
  if (profile.paging === 'hal' || profile.paging === 'link-list') return {};
  const by = counts === 'page' ? 'page' : 'offset';
  return { next: { by, params: [param], first: style?.next.first ?? (counts === 'page' ? 1 : 0) } };
}

const isNextAddress = (value: unknown) =>
  typeof value === 'string' && /[?&](?:page|page%5Bnumber%5D|%24skip)=/.test(value);
const isCursor = (text: string) => Buffer.from(text, 'base64url').toString().startsWith('at:');

function cased(param: string, { naming }: SandboxProfile): string {
  return naming === 'snake' ? param : param.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the path of the first matching value, by names only. */
function pathTo(value: unknown, fits: (value: unknown) => boolean): string[] | undefined {
  if (fits(value)) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const below = pathTo(inner, fits);
    if (below) return [name, ...below];
  }
  return undefined;
}

function listAt(raw: unknown): string[] | undefined {
  const isLinks = (value: unknown) => Array.isArray(value) && value.some((one) => one?.rel !== undefined);
  return pathTo(raw, (value) => Array.isArray(value) && !isLinks(value));
}

function uploadBody({ uploadBody }: SandboxProfile): Record<string, unknown> {
  if (uploadBody === 'none') return {};
  const place = (field: string) => (/size/i.test(field) ? '{size}' : /type/i.test(field) ? '{type}' : '{name}');
  return Object.fromEntries(uploadBody.split('+').map((field) => [field, place(field)]));
}

function webhookBody({ webhookBody }: SandboxProfile): Record<string, unknown> {
  const [url = '', event = ''] = webhookBody.split('+');
  return { [url]: '{url}', [event]: event.endsWith('s') ? ['{event}'] : '{event}' };
}
