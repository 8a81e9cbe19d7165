/**
 * A service of its own making, after the API document alone: entries in envelopes, addresses of next pages, ids with dashes,
 * its own headers and mistakes, 203 for figures and 207 for tags.
 */
import { type OtherService, type RowRequest, type RowResponse, type Rows, serveRows } from './serve-rows.ts';

export const HARBOR_KEY = 'hbr-key-0000000000000001';

type Fields = Readonly<Record<string, unknown>>;
type Table = Map<string, Fields>;

const DAY = 86_400;
const BEGINNING = 1_760_000_000;

/** What the service refuses, with its status. */
class Refused extends Error {
  readonly response: RowResponse;
  constructor(status: number, slug: string, hints: readonly object[] = []) {
    super(slug);
    this.response = { status, body: { problem: { slug, text: `The harbour says: ${slug}.`, hints } } };
  }
}

export function startHarbor(): Promise<OtherService> {
  let count = 0;
  let calls = 0;
  const tables = new Map<string, Table>();
  const table = (kind: string): Table => {
    const known = tables.get(kind) ?? new Map<string, Fields>();
    tables.set(kind, known);
    return known;
  };
  const newId = (kind: string) => `${kind}-${(7_000_000 + ++count * 7919).toString(36)}${'0k'.repeat(3)}`;
  const add = (kind: string, fields: Fields): Fields => {
    const entry: Fields = { id: newId(kind), ...fields, bornOn: BEGINNING + count * 60 };
    table(kind).set(String(entry['id']), entry);
    return entry;
  };
  const find = (kind: string, id: unknown): Fields => {
    const found = table(kind).get(String(id));
    if (!found) throw new Refused(404, 'no-such-thing');
    return found;
  };
  const change = (kind: string, id: string, fields: Fields): Fields => {
    const changed = { ...find(kind, id), ...fields };
    table(kind).set(id, changed);
    return changed;
  };
  const drop = (kind: string, id: string): RowResponse => {
    find(kind, id);
    table(kind).delete(id);
    return { status: 200, body: { gone: true, id } };
  };
  const need = (fields: Fields, names: readonly string[]) => {
    const missing = names.filter((name) => fields[name] === undefined || fields[name] === '');
    if (missing.length > 0)
      throw new Refused(
        422,
        'unfit-cargo',
        missing.map((where) => ({ where, why: 'has to be there' })),
      );
  };
  const one = (entry: Fields, status = 200, headers: Record<string, string> = {}): RowResponse => ({
    status,
    headers,
    body: { entry, asOf: BEGINNING + 90 * DAY },
  });
  const made = (path: string, entry: Fields) => one(entry, 201, { location: `/api/v1${path}/${entry['id']}` });

  const document = (name: unknown) =>
    add('doc', {
      name,
      media: 'application/pdf',
      octets: 1234,
      sheets: 2,
      revision: 1,
      owner: { id: 'usr-00000001', label: 'Harbour master' },
      confidential: false,
    });
  const link = (document_id: unknown, fields: Fields, origin: string) => {
    const id = newId('lnk');
    const entry: Fields = {
      id,
      url: `${origin}/go/${id}`,
      document_id,
      email_required: fields['email_required'] ?? false,
      caption: fields['caption'] ?? null,
      opensUntil: fields['opensUntil'] ?? null,
      hits: 0,
      bornOn: BEGINNING,
    };
    table('lnk').set(id, entry);
    return entry;
  };
  const room = (name: unknown) => add('rom', { name, summary: null, sections: [], exhibits: [] });
  const agreement = (name: unknown, signers: unknown, document_id: unknown) =>
    add('agr', {
      subjectLine: name,
      phase: 'draft',
      signers: (Array.isArray(signers) ? (signers as Fields[]) : []).map(({ email, name: fullName }) => ({
        id: newId('sgn'),
        email,
        fullName,
      })),
      document_id: document_id ?? null,
      dispatchedOn: null,
    });
  const contact = (fields: Fields) =>
    add('con', {
      email: fields['email'],
      fullName: fields['full_name'] ?? null,
      firm: fields['company'] ?? null,
      tags: [],
    });
  const webhook = (fields: Fields) => add('hok', { endpoint: fields['endpoint'], events: fields['events'] });

  function fill(origin: string): void {
    const docs = Array.from({ length: 7 }, (_, index) => document(`Bill of lading ${index + 1}`));
    const links = docs
      .slice(0, 3)
      .map(({ id }) => link(id, { caption: 'For the pilot', opensUntil: BEGINNING + 99 * DAY }, origin));
    const place = room('Quay 4');
    change('rom', String(place['id']), {
      summary: 'All papers of quay 4',
      sections: [{ id: newId('sec'), label: 'Customs' }],
      exhibits: [{ id: newId('exh'), document_id: docs[0]?.['id'], label: 'Bill of lading 1' }],
    });
    room('Quay 5');
    change(
      'agr',
      String(agreement('Charter party', [{ email: 'mate@example.com', name: 'Mate' }], docs[0]?.['id'])['id']),
      { dispatchedOn: BEGINNING + DAY, phase: 'completed' },
    );
    agreement('Pilotage', [{ email: 'cook@example.com', name: 'Cook' }], null);
    for (const heading of ['Towage', 'Storage']) add('pro', { heading, phase: 'draft', worth: 1200.5 });
    for (const name of ['Standard charter', 'Mooring'])
      add('tpl', { name, notes: name === 'Mooring' ? null : 'In English', document_id: docs[0]?.['id'] });
    contact({ email: 'mate@example.com', full_name: 'Mate', company: 'Tug & Co' });
    contact({ email: 'cook@example.com' });
    webhook({ endpoint: 'https://hooks.example.com/harbour', events: ['link.viewed'] });
    for (const seconds of [12.5, 40]) {
      const visit = add('vis', {
        linkId: links[0]?.['id'],
        email: seconds === 40 ? null : 'mate@example.com',
        begun: BEGINNING,
        ended: seconds === 40 ? null : BEGINNING + 52,
        sheets: [{ no: 1, secondsSpent: seconds }],
      });
      add('psn', { email: visit['email'], opens: 1, secondsInAll: seconds, visitIds: [visit['id']] });
    }
  }

  const page = (entries: Iterable<Fields>, { query, path }: RowRequest, origin: string): RowResponse => {
    const all = [...entries];
    const take = Math.min(20, Number(query.get('take') ?? 4));
    if (!(take > 0)) throw new Refused(422, 'unfit-cargo', [{ where: 'take', why: 'must be more than none' }]);
    const from = Number(/^m(\d+)$/.exec(query.get('mark') ?? 'm0')?.[1] ?? Number.NaN);
    if (Number.isNaN(from)) throw new Refused(422, 'unfit-cargo', [{ where: 'mark', why: 'leads nowhere' }]);
    const next = new URL(`${origin}/api/v1${path}`);
    for (const [name, value] of query) next.searchParams.set(name, value);
    next.searchParams.set('mark', `m${from + take}`);
    const nextHref = from + take < all.length ? next.href : null;
    return {
      status: 200,
      body: { payload: { rows: all.slice(from, from + take) }, pager: { matches: all.length, nextHref } },
    };
  };
  const listOf = (kind: string, origin: () => string) => (request: RowRequest) =>
    page([...table(kind).values()].reverse(), request, origin());
  const figures = (kind: 'link' | 'room', id: string): RowResponse => {
    find(kind === 'link' ? 'lnk' : 'rom', id);
    return one({ [kind]: id, figures: { opens: 2, people: 2, secondsInAll: 52.5, last: BEGINNING + DAY } }, 203);
  };

  const rows = (origin: () => string): Rows => ({
    'GET /documents': listOf('doc', origin),
    'POST /documents': ({ fields }) => {
      need(fields, ['file']);
      return made('/documents', document(fields['name'] ?? fields['file']));
    },
    'GET /documents/{id}': ({ id }) =>
      one({ ...find('doc', id), temporaryUrl: `${origin()}/hold/${id}?Expires=${BEGINNING}` }),
    'GET /documents/{id}/pages': (request) => {
      find('doc', request.id);
      const sheets = [1, 2].map((no) => ({
        no,
        width: 612,
        height: 792,
        image_url: `${origin()}/hold/${request.id}-${no}.png`,
      }));
      return page(sheets, request, origin());
    },
    'POST /documents/uploads': ({ fields }) => {
      need(fields, ['fileName', 'fileType', 'fileSize']);
      const storageKey = newId('upl');
      table('upl').set(storageKey, { name: fields['fileName'], stored: false });
      const headers = { 'Content-Type': String(fields['fileType']), 'x-harbour-seal': 'wax' };
      return one(
        {
          uploadUrl: `${origin()}/hold/${storageKey}`,
          headers,
          storageKey,
          token: `${storageKey}-token`,
          goodFor: 600,
        },
        201,
      );
    },
    'POST /documents/uploads/finalize': ({ fields }) => {
      need(fields, ['storageKey', 'token']);
      const { name, stored, spent } = find('upl', fields['storageKey']);
      if (!stored || spent) throw new Refused(409, 'not-now');
      change('upl', String(fields['storageKey']), { spent: true });
      if (fields['documentId'] !== undefined)
        return one(change('doc', String(fields['documentId']), { revision: 2 }), 201);
      return made('/documents', document(fields['name'] ?? name));
    },
    'DELETE /documents/{id}': ({ id }) => drop('doc', id),
    'GET /links': listOf('lnk', origin),
    'POST /links': ({ fields }) => {
      need(fields, ['document_id']);
      find('doc', fields['document_id']);
      return made('/links', link(fields['document_id'], fields, origin()));
    },
    'PATCH /links/{id}': ({ id, fields }) =>
      one(change('lnk', id, { email_required: fields['email_required'] === true })),
    'DELETE /links/{id}': ({ id }) => drop('lnk', id),
    'GET /rooms': listOf('rom', origin),
    'POST /rooms': ({ fields }) => {
      need(fields, ['title']);
      return made('/rooms', room(fields['title']));
    },
    'POST /rooms/{id}/folders': ({ id, fields }) => {
      find('rom', id);
      need(fields, ['name']);
      return one({ id: newId('sec'), label: fields['name'], roomId: id }, 201);
    },
    'POST /rooms/{id}/files': ({ id, fields }) => {
      find('rom', id);
      need(fields, ['documentId']);
      return one(
        { id: newId('exh'), document_id: find('doc', fields['documentId'])['id'], label: 'Exhibit', roomId: id },
        201,
      );
    },
    'POST /rooms/{id}/groups': ({ id, fields }) => {
      find('rom', id);
      need(fields, ['name']);
      return one({ id: newId('grp'), label: fields['name'], emails: [], roomId: id }, 201);
    },
    'PUT /rooms/{id}/permissions': ({ id, fields }) => {
      find('rom', id);
      need(fields, ['permissions']);
      return one({ roomId: id, grants: (fields['permissions'] as unknown[]).length, changedOn: BEGINNING });
    },
    'DELETE /rooms/{id}': ({ id }) => drop('rom', id),
    'GET /agreements': listOf('agr', origin),
    'POST /agreements': ({ fields }) => {
      need(fields, ['name', 'signers']);
      return made('/agreements', agreement(fields['name'], fields['signers'], fields['document_id']));
    },
    'POST /agreements/{id}/send': ({ id }) => one(change('agr', id, { phase: 'sent', dispatchedOn: BEGINNING })),
    'GET /agreements/{id}/document': ({ id }) =>
      one({
        temporaryUrl: `${origin()}/hold/${find('agr', id)['id']}.pdf?Expires=${BEGINNING}`,
        octets: 1234,
        goodFor: 60,
      }),
    'DELETE /agreements/{id}': ({ id }) => drop('agr', id),
    'GET /proposals': listOf('pro', origin),
    'POST /proposals': ({ fields }) => {
      need(fields, ['title']);
      return made('/proposals', add('pro', { heading: fields['title'], phase: 'draft', worth: 0.5 }));
    },
    'POST /proposals/{id}/send': ({ id }) => one(change('pro', id, { phase: 'sent' })),
    'DELETE /proposals/{id}': ({ id }) => drop('pro', id),
    'GET /templates': listOf('tpl', origin),
    'GET /templates/{id}': ({ id }) => one(find('tpl', id)),
    'POST /templates': ({ fields }) => {
      need(fields, ['title']);
      return made('/templates', add('tpl', { name: fields['title'], notes: null, document_id: null }));
    },
    'PATCH /templates/{id}': ({ id, fields }) =>
      one(change('tpl', id, { name: fields['title'] ?? find('tpl', id)['name'] })),
    'DELETE /templates/{id}': ({ id }) => drop('tpl', id),
    'GET /contacts': listOf('con', origin),
    'POST /contacts': ({ fields }) => {
      need(fields, ['email', 'full_name']);
      return made('/contacts', contact(fields));
    },
    'PATCH /contacts/{id}': ({ id, fields }) =>
      one(change('con', id, { fullName: fields['full_name'] ?? find('con', id)['fullName'] })),
    'POST /contacts/{id}/tags': ({ id, fields }) => {
      need(fields, ['names']);
      return one(change('con', id, { tags: fields['names'] }), 207);
    },
    'DELETE /contacts/{id}': ({ id }) => drop('con', id),
    'GET /analytics/links/{id}': ({ id }) => figures('link', id),
    'GET /analytics/links/{id}/visitors': (request) => {
      find('lnk', request.id);
      return page(table('psn').values(), request, origin());
    },
    'GET /analytics/visits/{id}': ({ id }) => one(find('vis', id), 203),
    'GET /analytics/rooms/{id}': ({ id }) => figures('room', id),
    'POST /webhooks': ({ fields }) => {
      need(fields, ['endpoint', 'events']);
      const entry = webhook(fields);
      return one({ ...entry, signingKey: `sk-${entry['id']}` }, 201);
    },
    'GET /webhooks': listOf('hok', origin),
    'DELETE /webhooks/{id}': ({ id }) => drop('hok', id),
    'GET /billing/subscription': () => one({ tier: 'fleet', chairs: 12, renewsOn: BEGINNING, phase: 'active' }),
    'GET /billing/invoices': (request) =>
      page(
        [1, 2].map((no) => ({
          id: `inv-${no}00000000`,
          no: `H-${no}`,
          sum: 99.5,
          currency: 'EUR',
          issuedOn: BEGINNING,
          phase: 'paid',
        })),
        request,
        origin(),
      ),
    'GET /billing/usage': () => one({ documents: 7, links: 3, octets: 8638, periodBegins: BEGINNING }, 203),
    'PUT /hold/{id}': ({ id, headers }) => {
      if (headers['x-harbour-seal'] !== 'wax') return { status: 403, body: 'A seal is missing' };
      change('upl', id, { stored: true });
      return { status: 201 };
    },
    'GET /hold/{id}': () => ({
      status: 200,
      headers: { 'content-type': 'application/pdf' },
      body: '%PDF-1.4 a small one',
    }),
  });

  const guarded = (origin: () => string): Rows =>
    Object.fromEntries(
      Object.entries(rows(origin)).map(([row, run]) => [
        row,
        (request) => {
          try {
            return run(request);
          } catch (error) {
            if (error instanceof Refused) return error.response;
            throw error;
          }
        },
      ]),
    );
  return serveRows({
    rows: guarded,
    admit: ({ headers }) => {
      calls += 1;
      if (headers.authorization === `Bearer ${HARBOR_KEY}`) return undefined;
      return new Refused(401, headers.authorization ? 'stranger' : 'nameless').response;
    },
    lost: (_, isMethod) => new Refused(isMethod ? 405 : 404, isMethod ? 'wrong-way' : 'uncharted').response,
    dress: (response) => ({
      ...response,
      headers: {
        'x-trace': `trc-${calls}`,
        'x-quota-total': '120',
        'x-quota-left': `${120 - (calls % 120)}`,
        ...response.headers,
      },
    }),
    json: 'application/json; profile="harbour"',
  }).then((service) => {
    fill(service.origin);
    return service;
  });
}
