import { stripDeceptiveChars } from '../base/strip-deceptive-chars.ts';
import type { Content } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { openContent } from '../storage/content.ts';
import { createDownloadUrl } from '../storage/storage-urls.ts';
import type { FileView } from '../storage/stored-file.ts';
import { createJsonResponse, type HttpResponse } from './http-response.ts';
import { formatTime, styleName } from './shape-fields.ts';

/** §4: downloads return a short-lived URL; its field, or whether it is a redirect, is unspecified. */
export async function renderFile(service: Service, file: FileView): Promise<HttpResponse> {
  const { profile } = service;
  const { version, name } = file;
  if (profile.download === 'bytes')
    return renderBytes(service, { content: version.content, type: version.content_type, name });
  const { url, expires_at } = createDownloadUrl(service, { version, name });
  if (profile.download.startsWith('redirect'))
    return { status: Number(profile.download.slice(-3)), headers: { location: url }, body: null };
  const expires = { [styleName('expires_at', profile)]: formatTime(expires_at, profile) };
  const value =
    profile.download === 'nested'
      ? { file: { url, name, content_type: version.content_type }, ...expires }
      : { [profile.download]: url, ...expires };
  return createJsonResponse({ status: 200, value, contentType: profile.contentType });
}

/** Renders the bytes of a file. */
export async function renderBytes(
  service: Service,
  { content, type, name }: { content: Content; type: string; name: string },
): Promise<HttpResponse> {
  const { size, read } = await openContent(service, content);
  const headers = {
    'content-type': type,
    'content-length': String(size),
    'content-disposition': getContentDisposition(name),
  };
  return { status: 200, headers, body: read() };
}

/** Returns a Content-Disposition header for any file name. */
export function getContentDisposition(text: string): string {
  const name = [...stripDeceptiveChars(text).replace(/[\s/\\]+/g, ' ')].slice(0, 150).join('');
  const asciiName = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
