import { BASE_PATH } from '../../server/api-routes.ts';
import type { Service } from '../../state/service.ts';

/** Returns shell commands to try; null without a key or document. */
export function getShellCommands(service: Service): { list: string | null; share: string | null } {
  const key = service.keys.all().findLast(({ revoked }) => !revoked)?.key;
  const document = [...service.state.documents.keys()].at(-1);
  if (key === undefined) return { list: null, share: null };
  const createCurl = (path: string) =>
    `curl -sS -H ${shellQuote(`Authorization: Bearer ${key}`)} ${shellQuote(service.origin + BASE_PATH + path)}`;
  const body = JSON.stringify({ document_id: document });
  const share = `${createCurl('/links')} -H ${shellQuote('Content-Type: application/json')} -d ${shellQuote(body)}`;
  return { list: createCurl('/documents'), share: document === undefined ? null : share };
}

/** Quotes an id, which may contain anything. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
