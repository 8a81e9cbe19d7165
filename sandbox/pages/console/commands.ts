import { BASE_PATH } from '../../http/api-routes.ts';
import type { Service } from '../../service.ts';

/** Commands for a shell that work as they are pasted; null where there is no key or no document yet. */
export function getShellCommands(service: Service): { list: string | null; share: string | null } {
  const key = service.keys.all().findLast(({ revoked }) => !revoked)?.key;
  const document = [...service.state.documents.keys()].at(-1);
  if (key === undefined) return { list: null, share: null };
  const call = (path: string) =>
    `curl -sS -H ${quote(`Authorization: Bearer ${key}`)} ${quote(service.origin + BASE_PATH + path)}`;
  const body = JSON.stringify({ document_id: document });
  const share = `${call('/links')} -H ${quote('Content-Type: application/json')} -d ${quote(body)}`;
  return { list: call('/documents'), share: document === undefined ? null : share };
}

/** An id may hold anything, and is only text to the shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
