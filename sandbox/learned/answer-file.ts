import type { OperationProfile, ServiceProfile } from '../../src/profile/service-profile.ts';
import type { FileView } from '../handlers/handler.ts';
import { getContentDisposition } from '../http/file-answer.ts';
import type { HttpResponse } from '../http/reply.ts';
import type { Service } from '../service.ts';
import { createDownloadUrl } from '../storage/addresses.ts';
import { openContent } from '../storage/content.ts';
import { fillPlaces } from './fill-places.ts';
import { learnedReply } from './learned-reply.ts';

/** A file as the learned service gives it (§4): as an address in JSON, a redirect to one, or its bytes. */
export async function answerLearnedFile(
  service: Service,
  file: FileView,
  { serviceProfile, called }: { serviceProfile: ServiceProfile; called: OperationProfile | undefined },
): Promise<HttpResponse | undefined> {
  const { download } = serviceProfile.facts;
  const { version, name } = file;
  if (!download) return undefined;
  if (download.by === 'bytes') {
    const { size, read } = await openContent(service, version.content);
    const headers = {
      'content-type': version.content_type,
      'content-disposition': getContentDisposition(name),
      'content-length': String(size),
    };
    return { status: called?.answer?.status ?? 200, headers, body: read() };
  }
  const { url, expires_at } = createDownloadUrl(service, { version, name });
  if (download.by === 'redirect') return { status: download.status, headers: { location: url }, body: null };
  const answer = called?.answer;
  if (!answer || !download.at || download.at.length === 0) return undefined;
  const about = { name, file_name: name, content_type: version.content_type, size: version.size, expires_at };
  const source = { view: about, seed: `file ${name}`, profile: service.profile };
  return learnedReply(answer, () =>
    fillPlaces(answer.body, [{ path: download.at ?? [], value: () => url }], source),
  );
}
