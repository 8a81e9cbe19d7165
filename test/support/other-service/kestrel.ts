/**
 * Another, as unlike the first as the document lets it be: bare objects, names with dashes, numbers as ids, writes that
 * answer nothing, dates without a time, what has no value left out, and a redirect to each file.
 */
import { type Asked, type OtherService, type Rows, serveRows, type Told } from './serve-rows.ts';

export const KESTREL_KEY = 'kestrel.0000000000000002';

type Fields = Readonly<Record<string, unknown>>;

class Refused extends Error {
  readonly told: Told;
  constructor(status: number, fault: string, fields?: Fields) {
    super(fault);
    this.told = { status, body: { fault, 'fault-code': 1000 + status, ...(fields ? { fields } : {}) } };
  }
}

const NOTHING: Told = { status: 204 };

export function startKestrel(): Promise<OtherService> {
  let count = 1000;
  let calls = 0;
  const nests = new Map<string, Map<string, Fields>>();
  const nest = (kind: string) => {
    const known = nests.get(kind) ?? new Map<string, Fields>();
    nests.set(kind, known);
    return known;
  };
  const next = () => {
    count += 7;
    return count;
  };
  const lay = (kind: string, fields: Fields): Fields => {
    // §2: a document's id is a text.
    const id = kind === 'documents' ? String(next()) : next();
    const egg = clean({ id, ...fields, 'hatched-on': `2026-0${1 + (count % 8)}-11` });
    nest(kind).set(String(id), egg);
    return egg;
  };
  const clean = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const find = (kind: string, id: unknown): Fields => {
    const found = nest(kind).get(String(id));
    if (!found) throw new Refused(410, `${kind} has no such egg`);
    return found;
  };
  const change = (kind: string, id: string, fields: Fields): Told => {
    nest(kind).set(id, { ...find(kind, id), ...clean(fields) });
    return NOTHING;
  };
  const drop =
    (kind: string) =>
    ({ id }: Asked): Told => {
      find(kind, id);
      nest(kind).delete(id);
      return { status: 202 };
    };
  const need = (fields: Fields, ...names: string[]) => {
    const missing = names.filter((name) => fields[name] === undefined);
    if (missing.length > 0)
      throw new Refused(
        400,
        'the request was dropped',
        Object.fromEntries(missing.map((name) => [name, ['must be given']])),
      );
  };
  const flock = (entries: readonly Fields[], { query }: Asked): Told => {
    const size = Math.min(50, Number(query.get('max_results') ?? 3));
    if (!(size > 0)) throw new Refused(400, 'the request was dropped', { max_results: ['too few'] });
    const token = query.get('continuation_token') ?? query.get('continuation-token') ?? '';
    const from = token === '' ? 0 : Number(Buffer.from(token, 'hex').toString());
    if (Number.isNaN(from))
      throw new Refused(400, 'the request was dropped', { 'continuation-token': ['leads nowhere'] });
    const more = from + size < entries.length;
    const onward = Buffer.from(`${from + size}`)
      .toString('hex')
      .padStart(2, '0');
    return {
      status: 200,
      body: {
        collection: entries.slice(from, from + size),
        ...(more ? { 'continuation-token': onward } : {}),
        'has-more': more,
      },
    };
  };
  const list = (kind: string) => (asked: Asked) => flock([...nest(kind).values()], asked);
  const made = (egg: Fields): Told => ({ status: 200, body: egg });

  const document = (name: unknown) =>
    lay('documents', { name, 'page-total': 3, 'mime-type': 'application/pdf', 'byte-count': 900 });
  const link = (fields: Fields, origin: string) =>
    lay('links', {
      url: `${origin}/k/${count + 7}`,
      document_id: fields['document_id'],
      email_required: fields['email_required'] ?? false,
      'closes-on': fields['closes-on'],
      'flight-count': 0,
    });
  const room = (name: unknown, description?: unknown) => lay('rooms', { name, description, locked: false });
  const agreement = (title: unknown, recipients: unknown) =>
    lay('agreements', { title, stage: 'draft', 'recipient-count': (recipients as unknown[] | undefined)?.length ?? 0 });
  const contact = (fields: Fields) =>
    lay('contacts', {
      'mail-address': fields['email'],
      'given-name': fields['first_name'],
      'family-name': fields['last_name'],
      marks: [],
    });

  function fill(origin: string): void {
    const docs = Array.from({ length: 8 }, (_, index) => document(`Survey ${index}`));
    const links = docs.map(({ id }, index) =>
      link({ document_id: id, 'closes-on': index % 2 ? '2027-01-01' : undefined }, origin),
    );
    for (const name of ['North face', 'South face']) room(name, name.startsWith('N') ? 'Steep' : undefined);
    for (const title of ['Lease', 'Licence']) agreement(title, [{}]);
    for (const name of ['Offer 1', 'Offer 2'])
      lay('proposals', { name, stage: 'draft', price: { value: 10.5, unit: 'EUR' } });
    for (const name of ['Plain lease', 'Long lease']) lay('templates', { name, 'used-times': 4 });
    contact({ email: 'ada@example.com', first_name: 'Ada', last_name: 'Byron' });
    contact({ email: 'ben@example.com', first_name: 'Ben' });
    lay('webhooks', { url: 'https://hooks.example.com/kestrel', topics: ['link.viewed'], paused: false });
    const visit = lay('visits', {
      link: links[0]?.['id'],
      'from-country': 'NO',
      'time-on-page': [3.5, 9],
      'began-at': '2026-05-01T10:00:00Z',
    });
    nest('people').set('1', { 'mail-address': 'ada@example.com', 'visit-ids': [visit['id']], flights: 1 });
  }

  const rows = (origin: () => string): Rows => ({
    'GET /documents': list('documents'),
    'POST /documents': ({ fields }) => {
      need(fields, 'file');
      return made(document(fields['name'] ?? fields['file']));
    },
    'GET /documents/{id}': ({ id }) => made({ ...find('documents', id), 'look-at': `${origin()}/raw/${id}` }),
    'GET /documents/{id}/pages': (asked) => {
      find('documents', asked.id);
      return flock(
        [1, 2, 3].map((number) => ({ number, wide: 612.5, high: 792 })),
        asked,
      );
    },
    'POST /documents/uploads': () => {
      const { id } = lay('uploads', { stored: false });
      return made({
        uploadUrl: `${origin()}/raw/${id}`,
        headers: { 'Content-Type': 'application/pdf' },
        storageKey: `k${id}`,
        token: `t${id}`,
      });
    },
    'POST /documents/uploads/finalize': ({ fields }) => {
      need(fields, 'storageKey', 'token');
      const id = String(fields['storageKey']).slice(1);
      const { stored } = find('uploads', id);
      if (stored !== true) throw new Refused(409, 'not in this season');
      change('uploads', id, { stored: 'spent' });
      return made(fields['documentId'] === undefined ? document('Uploaded') : find('documents', fields['documentId']));
    },
    'DELETE /documents/{id}': drop('documents'),
    'GET /links': list('links'),
    'POST /links': ({ fields }) => {
      need(fields, 'document_id');
      find('documents', fields['document_id']);
      return made(link(fields, origin()));
    },
    'PATCH /links/{id}': ({ id, fields }) => change('links', id, { email_required: fields['email_required'] }),
    'DELETE /links/{id}': drop('links'),
    'GET /rooms': list('rooms'),
    'POST /rooms': ({ fields }) => {
      need(fields, 'name');
      return made(room(fields['name'], fields['description']));
    },
    'POST /rooms/{id}/folders': ({ id, fields }) => {
      find('rooms', id);
      need(fields, 'name');
      return made({ id: next(), name: fields['name'], depth: 1 });
    },
    'POST /rooms/{id}/files': ({ id, fields }) => {
      find('rooms', id);
      need(fields, 'document_id');
      return made({ id: next(), document_id: find('documents', fields['document_id'])['id'], position: 1 });
    },
    'POST /rooms/{id}/groups': ({ id, fields }) => {
      find('rooms', id);
      need(fields, 'name');
      return made({ id: next(), name: fields['name'], 'head-count': 0 });
    },
    'PUT /rooms/{id}/permissions': ({ id }) => change('rooms', id, {}),
    'DELETE /rooms/{id}': drop('rooms'),
    'GET /agreements': list('agreements'),
    'POST /agreements': ({ fields }) => {
      need(fields, 'title');
      return made(agreement(fields['title'], fields['recipients']));
    },
    'POST /agreements/{id}/send': ({ id }) => change('agreements', id, { stage: 'sent' }),
    'GET /agreements/{id}/document': ({ id }) => {
      find('agreements', id);
      return { status: 303, headers: { location: `${origin()}/raw/${id}?X-Amz-Expires=120` } };
    },
    'DELETE /agreements/{id}': drop('agreements'),
    'GET /proposals': list('proposals'),
    'POST /proposals': ({ fields }) => {
      need(fields, 'name');
      return made(lay('proposals', { name: fields['name'], stage: 'draft', price: { value: 0.5, unit: 'EUR' } }));
    },
    'POST /proposals/{id}/send': ({ id }) => change('proposals', id, { stage: 'sent' }),
    'DELETE /proposals/{id}': drop('proposals'),
    'GET /templates': list('templates'),
    'GET /templates/{id}': ({ id }) => made(find('templates', id)),
    'POST /templates': ({ fields }) => {
      need(fields, 'name');
      return made(lay('templates', { name: fields['name'], 'used-times': 0 }));
    },
    'PATCH /templates/{id}': ({ id, fields }) => change('templates', id, { name: fields['name'] }),
    'DELETE /templates/{id}': drop('templates'),
    'GET /contacts': list('contacts'),
    'POST /contacts': ({ fields }) => {
      need(fields, 'email', 'first_name');
      return made(contact(fields));
    },
    'PATCH /contacts/{id}': ({ id, fields }) => change('contacts', id, { 'given-name': fields['first_name'] }),
    'POST /contacts/{id}/tags': ({ id, fields }) => {
      need(fields, 'tags');
      return change('contacts', id, { marks: fields['tags'] });
    },
    'DELETE /contacts/{id}': drop('contacts'),
    'GET /analytics/links/{id}': ({ id }) =>
      made({
        link: find('links', id)['id'],
        flights: 3,
        'mean-time': 4.25,
        'by-day': [{ day: '2026-05-01', flights: 3 }],
      }),
    'GET /analytics/links/{id}/visitors': (asked) => {
      find('links', asked.id);
      return flock([...nest('people').values()], asked);
    },
    'GET /analytics/visits/{id}': ({ id }) => made(find('visits', id)),
    'GET /analytics/rooms/{id}': ({ id }) => made({ room: find('rooms', id)['id'], flights: 1 }),
    'POST /webhooks': ({ fields }) => {
      need(fields, 'url', 'topics');
      return made(lay('webhooks', { url: fields['url'], topics: fields['topics'], paused: false }));
    },
    'GET /webhooks': list('webhooks'),
    'DELETE /webhooks/{id}': drop('webhooks'),
    'GET /billing/subscription': () =>
      made({ 'plan-name': 'cliff', stage: 'active', heads: 3, 'renews-on': '2027-02-01' }),
    'GET /billing/invoices': (asked) =>
      flock(
        [1, 2].map((number) => ({ id: number, number, total: '12.50', 'sent-on': '2026-03-01' })),
        asked,
      ),
    'GET /billing/usage': () => made({ documents: 8, links: 8, share: 0.25 }),
    'PUT /raw/{id}': ({ id }) => {
      change('uploads', id, { stored: true });
      return { status: 200, body: 'kept' };
    },
    'GET /raw/{id}': () => ({
      status: 200,
      headers: { 'content-type': 'application/pdf' },
      body: '%PDF-1.4 a small one',
    }),
  });

  const guard = (run: (asked: Asked) => Told) => (asked: Asked) => {
    try {
      return run(asked);
    } catch (error) {
      if (error instanceof Refused) return error.told;
      throw error;
    }
  };
  const html = { 'content-type': 'text/html' };
  return serveRows({
    rows: (origin) => Object.fromEntries(Object.entries(rows(origin)).map(([row, run]) => [row, guard(run)])),
    admit({ headers }) {
      calls += 1;
      return headers.authorization === `Bearer ${KESTREL_KEY}` ? undefined : new Refused(403, 'who flies there?').told;
    },
    lost: () => ({
      status: 404,
      headers: html,
      body: '<!doctype html><title>Nothing</title><h1>Nothing nests here</h1>',
    }),
    dress: (told) => ({ ...told, headers: { 'request-ref': `${calls}`.padStart(9, '0'), ...told.headers } }),
    json: 'application/json',
  }).then((service) => {
    fill(service.origin);
    return service;
  });
}
