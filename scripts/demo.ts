/**
 * Runs the main job on the embedded sandbox: share, read, sign, and trigger Zaps. Each step's result is checked through
 * another interface. `--keep` leaves everything running.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertDemo, createDemoReporter, DemoStepError } from './demo-reporter.ts';
import { readOptions } from './read-options.ts';

// Paths of the built server and app are relative to the repository.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const KEEP = readOptions({ keep: { type: 'boolean' } }).keep === true;
// Imported late, so that a mistyped option is reported at once.
const { PDFDocument } = await import('pdf-lib');
const { createSandbox } = await import('../sandbox/index.ts');
const { startAssistant } = await import('./demo-assistant.ts');
const { drawDeck } = await import('./demo-deck.ts');
const { startWebhookReceiver } = await import('./demo-webhook-receiver.ts');
const { openVisitor } = await import('./demo-visitor.ts');
const { loadZapierApp } = await import('./demo-zapier-app.ts');
const closers: (() => Promise<unknown>)[] = [];
const ANNA = { name: 'Anna Lindqvist', email: 'anna@fjord-capital.example' };
const HOOK_TIMEOUT_MS = 15_000;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

async function runDemo(): Promise<void> {
  const reporter = createDemoReporter((line) => console.log(line));
  console.log('Docshare demo: a founder shares a pitch deck through an AI assistant, an investor reads it and signs,');
  console.log('and two Zaps hear of it. Everything is real but the service, which runs on this machine.');

  reporter.chapter('The service and its users');

  const sandbox = await reporter.step(
    'Start the service',
    'the embedded sandbox, with an empty workspace',
    async (log) => {
      const started = await createSandbox({ data: 'empty' });
      closers.push(() => started.close());
      log(`${started.url} answers`);
      return started;
    },
  );
  const key = sandbox.key();
  /** The API itself, which no step of the demo uses. */
  const api = async (path: string): Promise<Record<string, unknown>> => {
    const result = await fetch(sandbox.url + path, { headers: { authorization: `Bearer ${key}` } });
    assertDemo(result.ok, `GET ${path} returned ${result.status}`);
    return (await result.json()) as Record<string, unknown>;
  };
  const findInList = async (path: string, id: string) => {
    const { data = [] } = (await api(`${path}?limit=100`)) as { data?: Record<string, unknown>[] };
    return data.find((item) => item['id'] === id);
  };

  const folder = await mkdtemp(join(tmpdir(), 'docshare-demo-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const deckPath = join(folder, 'series-a-deck.pdf');
  await reporter.step('Draw the pitch deck', 'a PDF of five pages on disk', async (log) => {
    const bytes = await drawDeck();
    await writeFile(deckPath, bytes);
    log(`series-a-deck.pdf, ${bytes.byteLength} bytes`);
  });

  const assistant = await reporter.step(
    'Connect an AI assistant',
    'a real MCP client starts the built server (dist/whole/main.js) over stdio and lists its tools',
    async (log) => {
      const env = { DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: sandbox.url, PATH: process.env.PATH ?? '' };
      const started = await startAssistant({ env, folder });
      closers.push(() => started.close());
      log(`server "${started.serverName}" offers ${started.tools.length} tools`);
      return started;
    },
  );

  const receiver = await startWebhookReceiver();
  closers.push(() => receiver.close());
  const zapierApp = await reporter.step(
    'Turn on two Zaps',
    'the built Zapier app, through its own Lambda handler, checks the key and subscribes both instant triggers',
    async (log) => {
      const loaded = await loadZapierApp({ apiKey: key, baseUrl: sandbox.url });
      const label = await loaded.testConnection();
      log(`connection works: ${label}`);
      for (const trigger of ['link_viewed', 'envelope_signed'] as const) {
        const { id } = await loaded.subscribe(trigger, receiver.urlFor(`/hooks/${trigger}`));
        log(`${trigger} is subscribed as ${id}`);
      }
      return loaded;
    },
  );

  reporter.chapter('The founder shares the deck');

  const document = await reporter.step(
    'Upload the deck',
    'tool upload_document { path: "…/series-a-deck.pdf" }',
    async (log) => {
      const result = await assistant.call('upload_document', { path: deckPath, name: 'Series A deck' });
      assertDemo(typeof result.id === 'string', 'upload_document gave no id');
      const { name } = await api(`/documents/${result.id}`);
      assertDemo(name === 'Series A deck', `the API calls the document ${String(name)}`);
      log(`document ${result.id}; the API knows it as "${name}"`);
      return { id: result.id };
    },
  );

  await reporter.step('Look at its pages', 'tool list_document_pages { id }', async (log) => {
    const { items } = await assistant.call('list_document_pages', { id: document.id });
    assertDemo(
      Array.isArray(items) && items.length === 5,
      `the document has ${Array.isArray(items) ? items.length : 'no'} pages, not 5`,
    );
    log(`${items.length} pages`);
  });

  const link = await reporter.step(
    'Create a link that requires an email address',
    'tool create_link { document_id, email_required: true }',
    async (log) => {
      const { id, url } = await assistant.call('create_link', { document_id: document.id, email_required: true });
      assertDemo(typeof id === 'string' && typeof url === 'string', 'create_link gave no id or no address');
      const gate = await fetch(url);
      assertDemo(
        (await gate.text()).includes('email address'),
        'the page of the link does not ask for an email address',
      );
      log(`link ${id}: ${url}`);
      log('its page asks for an e-mail address');
      return { id, url };
    },
  );

  const agreement = await reporter.step(
    'Draft an agreement',
    'tool create_agreement { fields: { name, document_id, recipients } }',
    async (log) => {
      const fields = { name: 'Series A term sheet', document_id: document.id, recipients: [ANNA] };
      const { id } = await assistant.call('create_agreement', { fields });
      assertDemo(typeof id === 'string', 'create_agreement gave no id');
      log(`agreement ${id} for ${ANNA.email}`);
      return { id };
    },
  );

  await reporter.step('Send it', 'tool send_agreement { id }, confirmed after its preview', async (log) => {
    await assistant.call('send_agreement', { id: agreement.id }, (preview) => log(`preview: ${preview}`));
    const { status } = (await findInList('/agreements', agreement.id)) ?? {};
    assertDemo(status === 'sent', `the API says that the agreement is ${String(status)}`);
    log('the API says: sent');
  });

  reporter.chapter('The investor reads and signs');

  const visitor = await openVisitor();
  closers.push(() => visitor.close());
  await reporter.step(
    'Anna opens the link',
    `with ${visitor.method}: leaves her e-mail address and turns five pages`,
    async (log) => {
      await visitor.read(link.url, { person: ANNA, pages: 5, ms: 1_100 });
      const { views, unique_visitors: visitors } = await api(`/analytics/links/${link.id}`);
      assertDemo(views === 1 && visitors === 1, `the API counts ${String(views)} views by ${String(visitors)} people`);
      log('the API counts one view by one person');
    },
  );

  await reporter.step('The "link viewed" Zap runs', 'the delivered webhook goes through the trigger', async (log) => {
    const [event, ...more] = await zapierApp.run(
      'link_viewed',
      await receiver.nextDelivery('/hooks/link_viewed', HOOK_TIMEOUT_MS),
    );
    assertDemo(
      event !== undefined && more.length === 0,
      `the Zap ran ${more.length + (event ? 1 : 0)} times, not once`,
    );
    log(zapierApp.describe(event));
  });

  await reporter.step('Anna signs the agreement', `on its signing page, with ${visitor.method}`, async (log) => {
    const { recipients } = (await findInList('/agreements', agreement.id)) as {
      recipients?: { signing_url?: string }[];
    };
    const url = recipients?.[0]?.signing_url;
    assertDemo(typeof url === 'string', 'the API names no signing page');
    log(`the page says: ${await visitor.sign(url, ANNA)}`);
    const { status } = (await findInList('/agreements', agreement.id)) ?? {};
    assertDemo(status === 'signed', `the API says that the agreement is ${String(status)}`);
    log('the API says: signed');
  });

  await reporter.step(
    'The "agreement signed" Zap runs',
    'the delivered webhook goes through the trigger',
    async (log) => {
      const [event, ...more] = await zapierApp.run(
        'envelope_signed',
        await receiver.nextDelivery('/hooks/envelope_signed', HOOK_TIMEOUT_MS),
      );
      assertDemo(
        event !== undefined && more.length === 0,
        `the Zap ran ${more.length + (event ? 1 : 0)} times, not once`,
      );
      log(zapierApp.describe(event));
    },
  );

  reporter.chapter('The founder sees the result');

  await reporter.step('See who read what', 'tool report_link { id }', async (log) => {
    const report = JSON.stringify(await assistant.call('report_link', { id: link.id }));
    assertDemo(report.includes(ANNA.email), `the report does not name ${ANNA.email}`);
    const { completion_rate: rate, total_seconds: seconds } = await api(`/analytics/links/${link.id}`);
    assertDemo(rate === 1, `the API says that ${String(rate)} of the deck was read, not all`);
    assertDemo(Number(seconds) >= 5, `the API counts ${String(seconds)} s, less than five pages take`);
    log(`${ANNA.email} read the whole deck in ${String(seconds)} s`);
    log(`${report.slice(0, 150)}…`);
  });

  await reporter.step('Fetch the signed PDF', 'tool download_agreement { id, path }', async (log) => {
    const path = join(folder, 'signed.pdf');
    await assistant.call('download_agreement', { id: agreement.id, path });
    const pages = (await PDFDocument.load(await readFile(path))).getPageCount();
    assertDemo(pages >= 5, `the signed PDF has ${pages} pages, fewer than the deck`);
    log(`signed.pdf, ${(await readFile(path)).byteLength} bytes, ${pages} pages`);
  });

  await reporter.step('Turn the Zaps off', 'both triggers unsubscribe', async (log) => {
    const count = await zapierApp.unsubscribe();
    const { data } = (await api('/webhooks')) as { data?: unknown[] };
    assertDemo(data?.length === 0, `the API still has ${data?.length} registrations`);
    log(`${count} subscriptions removed, and the API has none left`);
  });

  reporter.end();
  if (KEEP) {
    console.log(`\nEverything stays open until Ctrl-C. To look at:
    the service        ${sandbox.origin}/
    the shared deck    ${link.url}
    the files          ${folder}
    the API            ${sandbox.url}, with the key ${key}`);
    for (const signal of Object.keys(EXIT_CODES)) process.removeAllListeners(signal);
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  }
}

/** Closes everything in reverse order; a second Ctrl-C does not wait. */
async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close().catch(() => undefined);
}

let isStopped = false;
for (const [signal, code] of Object.entries(EXIT_CODES))
  process.once(signal, () => {
    isStopped = true;
    void closeAll().then(() => process.exit(code));
  });

try {
  await runDemo();
} catch (error) {
  // A step interrupted by a signal did not fail.
  if (!isStopped) console.error(error instanceof DemoStepError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  await closeAll();
}
