/**
 * Program for the types that `docshare learn --openapi` writes: known fields are typed without a cast, and misspelled
 * fields are compile errors.
 */
export const TYPE_CLAIMS = `import { createClient, type Contact, type Link, type LinkCreateParams } from 'docshare';
const client = createClient();
export async function read(link: Link, contact: Contact): Promise<unknown[]> {
  const id: string = link.id;
  const views: number | undefined = link.view_count;
  const record: Record<string, unknown> = { ...link };
  // @ts-expect-error: a misread field
  console.log(link.vews);
  // @ts-expect-error: a misread learned field
  console.log(contact.emial);
  if ('seats' in link) record['seats'] = link.seats;
  const params: LinkCreateParams = { document_id: id, email_required: true, extra: { anything: 1 } };
  const url: string = (await client.links.create(params)).url;
  // @ts-expect-error: a misspelled gate
  await client.links.create({ document_id: id, email_requred: true });
  // @ts-expect-error: a gate is on or off
  await client.links.update({ id: link.id, email_required: 'yes' });
  for await (const { email } of client.contacts.list()) views?.toFixed(email?.length);
  return [url, record];
}
`;

/** Expected hover texts of the last word of each expression, after the lines of the prelude. */
export const HOVER_CLAIMS = {
  prelude: `import { createClient, type Link, type LinkCreateParams } from 'docshare';
const client = createClient();
declare const link: Link;
declare const params: LinkCreateParams;`,
  sentences: {
    'client.links.create': 'Creates a share link for a document',
    'link.url': 'Shareable URL of the link.',
    'link.id': 'Observed',
    'link.view_count': 'Observed',
    'params.document_id': 'Id of the document to share',
    'params.extra': 'Fields that the API document does not name',
  },
} as const;
