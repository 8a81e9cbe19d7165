/**
 * The main job, start to end, on the embedded sandbox: share, read, sign, and Zaps that hear of it. What a step says is
 * read back through another door. `--keep` leaves everything open to look at.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claim, createStory, StoryError } from './demo-story.ts';
import { readOptions } from './read-options.ts';

// The built server and app are named from here.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const KEEP = readOptions({ keep: { type: 'boolean' } }).keep === true;
// Everything that the story plays with: who mistyped an option need not wait for it.
const { PDFDocument } = await import('pdf-lib');
const { createSandbox } = await import('../sandbox/index.ts');
const { startAssistant } = await import('./demo-assistant.ts');
const { drawDeck } = await import('./demo-deck.ts');
const { receiveHooks } = await import('./demo-hooks.ts');
const { openVisitor } = await import('./demo-visitor.ts');
const { loadZap } = await import('./demo-zap.ts');
const closers: (() => Promise<unknown>)[] = [];
const ANNA = { name: 'Anna Lindqvist', email: 'anna@fjord-capital.example' };
const HOOK_TIMEOUT_MS = 15_000;
const EXITS = { SIGINT: 130, SIGTERM: 143 };

async function tell(): Promise<void> {
  const story = createStory((line) => console.log(line));
  console.log(
    'Docshare demo: a founder shares a pitch deck through an AI assistant, an investor reads it and signs,',
  );
  console.log('and two Zaps hear of it. Everything is real but the service, which runs on this machine.');

  story.chapter('The service and those who use it');

  const sandbox = await story.step(
    'Start the service',
    'the embedded sandbox, with an empty workspace',
    async (told) => {
      const started = await createSandbox({ data: 'empty' });
      closers.push(() => started.close());
      told(`${started.url} answers`);
      return started;
    },
  );
  const key = sandbox.key();
  /** What the API says: a door that no step of the story uses. */
  const api = async (path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(sandbox.url + path, { headers: { authorization: `Bearer ${key}` } });
    claim(answer.ok, `GET ${path} answered ${answer.status}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const listed = async (path: string, id: string) => {
    const { data = [] } = (await api(`${path}?limit=100`)) as { data?: Record<string, unknown>[] };
    return data.find((one) => one['id'] === id);
  };

  const folder = await mkdtemp(join(tmpdir(), 'docshare-demo-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const deckPath = join(folder, 'series-a-deck.pdf');
  await story.step('Draw the pitch deck', 'a PDF of five pages on disk', async (told) => {
    const bytes = await drawDeck();
    await writeFile(deckPath, bytes);
    told(`series-a-deck.pdf, ${bytes.byteLength} bytes`);
  });

  const assistant = await story.step(
    'Connect an AI assistant',
    'a real MCP client starts the built server (dist/whole/main.js) over stdio and lists its tools',
    async (told) => {
      const env = { DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: sandbox.url, PATH: process.env.PATH ?? '' };
      const started = await startAssistant({ env, folder });
      closers.push(() => started.close());
      told(`server "${started.serverName}" offers ${started.tools.length} tools`);
      return started;
    },
  );

  const hooks = await receiveHooks();
  closers.push(() => hooks.close());
  const zap = await story.step(
    'Turn on two Zaps',
    'the built Zapier app, through its own Lambda handler, checks the key and subscribes both instant triggers',
    async (told) => {
      const loaded = await loadZap({ apiKey: key, baseUrl: sandbox.url });
      const label = await loaded.testConnection();
      told(`connection works: ${label}`);
      for (const trigger of ['link_viewed', 'envelope_signed'] as const) {
        const { id } = await loaded.subscribe(trigger, hooks.address(`/hooks/${trigger}`));
        told(`${trigger} is subscribed as ${id}`);
      }
      return loaded;
    },
  );

  story.chapter('The founder shares the deck');

  const document = await story.step(
    'Upload the deck',
    'tool upload_document { path: "…/series-a-deck.pdf" }',
    async (told) => {
      const answer = await assistant.call('upload_document', { path: deckPath, name: 'Series A deck' });
      claim(typeof answer.id === 'string', 'upload_document gave no id');
      const { name } = await api(`/documents/${answer.id}`);
      claim(name === 'Series A deck', `the API calls the document ${String(name)}`);
      told(`document ${answer.id}; the API knows it as "${name}"`);
      return { id: answer.id };
    },
  );

  await story.step('Look at its pages', 'tool list_document_pages { id }', async (told) => {
    const { items } = await assistant.call('list_document_pages', { id: document.id });
    claim(
      Array.isArray(items) && items.length === 5,
      `the document has ${Array.isArray(items) ? items.length : 'no'} pages, not 5`,
    );
    told(`${items.length} pages`);
  });

  const link = await story.step(
    'Make a link that asks for an e-mail address',
    'tool create_link { document_id, email_required: true }',
    async (told) => {
      const { id, url } = await assistant.call('create_link', {
        document_id: document.id,
        email_required: true,
      });
      claim(typeof id === 'string' && typeof url === 'string', 'create_link gave no id or no address');
      const gate = await fetch(url);
      claim(
        (await gate.text()).includes('e-mail address'),
        'the page of the link asks for no e-mail address',
      );
      told(`link ${id}: ${url}`);
      told('its page asks for an e-mail address');
      return { id, url };
    },
  );

  const agreement = await story.step(
    'Draft an agreement',
    'tool create_agreement { fields: { name, document_id, recipients } }',
    async (told) => {
      const fields = { name: 'Series A term sheet', document_id: document.id, recipients: [ANNA] };
      const { id } = await assistant.call('create_agreement', { fields });
      claim(typeof id === 'string', 'create_agreement gave no id');
      told(`agreement ${id} for ${ANNA.email}`);
      return { id };
    },
  );

  await story.step('Send it', 'tool send_agreement { id }, confirmed after its preview', async (told) => {
    await assistant.call('send_agreement', { id: agreement.id }, (preview) => told(`preview: ${preview}`));
    const { status } = (await listed('/agreements', agreement.id)) ?? {};
    claim(status === 'sent', `the API says that the agreement is ${String(status)}`);
    told('the API says: sent');
  });

  story.chapter('The investor reads and signs');

  const visitor = await openVisitor();
  closers.push(() => visitor.close());
  await story.step(
    'Anna opens the link',
    `with ${visitor.how}: leaves her e-mail address and turns five pages`,
    async (told) => {
      await visitor.read(link.url, { person: ANNA, pages: 5, ms: 1_100 });
      const { views, unique_visitors: people } = await api(`/analytics/links/${link.id}`);
      claim(views === 1 && people === 1, `the API counts ${String(views)} views by ${String(people)} people`);
      told('the API counts one view by one person');
    },
  );

  await story.step(
    'The "link viewed" Zap runs',
    'the delivered webhook goes through the trigger',
    async (told) => {
      const [event, ...more] = await zap.run(
        'link_viewed',
        await hooks.next('/hooks/link_viewed', HOOK_TIMEOUT_MS),
      );
      claim(
        event !== undefined && more.length === 0,
        `the Zap ran ${more.length + (event ? 1 : 0)} times, not once`,
      );
      told(zap.describe(event));
    },
  );

  await story.step('Anna signs the agreement', `on its signing page, with ${visitor.how}`, async (told) => {
    const { recipients } = (await listed('/agreements', agreement.id)) as {
      recipients?: { signing_url?: string }[];
    };
    const url = recipients?.[0]?.signing_url;
    claim(typeof url === 'string', 'the API names no signing page');
    told(`the page says: ${await visitor.sign(url, ANNA)}`);
    const { status } = (await listed('/agreements', agreement.id)) ?? {};
    claim(status === 'signed', `the API says that the agreement is ${String(status)}`);
    told('the API says: signed');
  });

  await story.step(
    'The "agreement signed" Zap runs',
    'the delivered webhook goes through the trigger',
    async (told) => {
      const [event, ...more] = await zap.run(
        'envelope_signed',
        await hooks.next('/hooks/envelope_signed', HOOK_TIMEOUT_MS),
      );
      claim(
        event !== undefined && more.length === 0,
        `the Zap ran ${more.length + (event ? 1 : 0)} times, not once`,
      );
      told(zap.describe(event));
    },
  );

  story.chapter('The founder sees what came of it');

  await story.step('See who read what', 'tool report_link { id }', async (told) => {
    const report = JSON.stringify(await assistant.call('report_link', { id: link.id }));
    claim(report.includes(ANNA.email), `the report does not name ${ANNA.email}`);
    const { completion_rate: rate, total_seconds: seconds } = await api(`/analytics/links/${link.id}`);
    claim(rate === 1, `the API says that ${String(rate)} of the deck was read, not all`);
    claim(Number(seconds) >= 5, `the API counts ${String(seconds)} s, less than five pages take`);
    told(`${ANNA.email} read the whole deck in ${String(seconds)} s`);
    told(`${report.slice(0, 150)}…`);
  });

  await story.step('Fetch the signed PDF', 'tool download_agreement { id, path }', async (told) => {
    const path = join(folder, 'signed.pdf');
    await assistant.call('download_agreement', { id: agreement.id, path });
    const pages = (await PDFDocument.load(await readFile(path))).getPageCount();
    claim(pages >= 5, `the signed PDF has ${pages} pages, fewer than the deck`);
    told(`signed.pdf, ${(await readFile(path)).byteLength} bytes, ${pages} pages`);
  });

  await story.step('Turn the Zaps off', 'both triggers unsubscribe', async (told) => {
    const count = await zap.unsubscribe();
    const { data } = (await api('/webhooks')) as { data?: unknown[] };
    claim(data?.length === 0, `the API still has ${data?.length} registrations`);
    told(`${count} subscriptions removed, and the API has none left`);
  });

  story.end();
  if (KEEP) {
    console.log(`\nEverything stays open until Ctrl-C. To look at:
    the service        ${sandbox.origin}/
    the shared deck    ${link.url}
    the files          ${folder}
    the API            ${sandbox.url}, with the key ${key}`);
    for (const signal of Object.keys(EXITS)) process.removeAllListeners(signal);
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  }
}

/** In the order in which things were opened, backwards; a second Ctrl-C does not wait. */
async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close().catch(() => undefined);
}

let isStopped = false;
for (const [signal, code] of Object.entries(EXITS))
  process.once(signal, () => {
    isStopped = true;
    void closeAll().then(() => process.exit(code));
  });

try {
  await tell();
} catch (error) {
  // A step that a signal has cut did not fail.
  if (!isStopped) console.error(error instanceof StoryError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  await closeAll();
}
