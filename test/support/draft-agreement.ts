import type { Sandbox } from '../../sandbox/index.ts';
import { createClient } from '../../src/index.ts';

/** Creates an agreement that can be sent. @returns its ID. */
export async function createDraftAgreement(
  { url: baseUrl }: Pick<Sandbox, 'url'>,
  {
    key,
    recipients = [{ name: 'Sam', email: 'sam@example.com' }],
  }: { key: string; recipients?: { name: string; email: string }[] },
): Promise<string> {
  const client = createClient({ apiKey: key, baseUrl });
  const { id: document_id } = await client.upload(new Blob(['%PDF-1.4 x']), { name: 'NDA.pdf' });
  const { id } = await client.agreements.create({ name: 'NDA', document_id, recipients });
  await client.close();
  return String(id);
}
