/** The main job, start to end, on the embedded sandbox: share, read, sign, and Zaps that hear of it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { createSandbox } from '../sandbox/index.ts';
import { startAssistant } from './demo-assistant.ts';
import { drawDeck } from './demo-deck.ts';
import { receiveHooks } from './demo-hooks.ts';
import { claim, createStory, StoryError } from './demo-story.ts';
import { loadZap } from './demo-zap.ts';

const closers: (() => Promise<unknown>)[] = [];
const ANNA = { name: 'Anna Lindqvist', email: 'anna@fjord-capital.example' };
const HOOK_TIMEOUT_MS = 15_000;

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
    'a real MCP client starts the built server (dist/mcp/main.js) over stdio and lists its tools',
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
      told(`document ${answer.id}`);
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
      told(`link ${id}: ${url}`);
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
    told('sent');
  });

  story.chapter('The investor reads and signs');

  await story.step('Anna opens the link', 'leaves her e-mail address, reads five pages', async (told) => {
    const seconds = [12, 31, 8, 44, 20];
    await sandbox.visit(link.id, { ...ANNA, pages: seconds });
    told(`read for ${seconds.reduce((sum, one) => sum + one, 0)} s`);
  });

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

  await story.step('Anna signs the agreement', 'on its signing page', async (told) => {
    await sandbox.sign(agreement.id, ANNA);
    told('signed');
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

  await story.step("Read the link's analytics", 'tool get_link_analytics { id }', async (told) => {
    const answer = await assistant.call('get_link_analytics', { id: link.id });
    claim(JSON.stringify(answer).includes('115'), 'the analytics do not show the 115 seconds that Anna read');
    told(JSON.stringify(answer).slice(0, 160));
  });

  await story.step('Fetch the signed PDF', 'tool download_agreement { id, path }', async (told) => {
    const path = join(folder, 'signed.pdf');
    await assistant.call('download_agreement', { id: agreement.id, path });
    const pages = (await PDFDocument.load(await readFile(path))).getPageCount();
    claim(pages >= 5, `the signed PDF has ${pages} pages, fewer than the deck`);
    told(`signed.pdf, ${(await readFile(path)).byteLength} bytes, ${pages} pages`);
  });

  await story.step('Turn the Zaps off', 'both triggers unsubscribe', async (told) => {
    told(`${await zap.unsubscribe()} subscriptions removed`);
  });

  story.end();
}

try {
  await tell();
} catch (error) {
  console.error(error instanceof StoryError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  for (const close of closers.reverse()) await close().catch(() => undefined);
}
