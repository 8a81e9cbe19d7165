import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Line of a conversation: a text, a real tool call, or a real question. */
export type Turn =
  | { readonly role: 'person' | 'assistant'; readonly text: string }
  | { readonly role: 'tool'; readonly name: string; readonly args: JsonRecord; readonly outcome: string }
  | { readonly role: 'preview'; readonly text: string };

interface Link {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

interface Totals {
  readonly views: number;
  readonly unique_visitors: number;
  readonly average_seconds: number;
}

interface Stop {
  readonly page: number;
  readonly views: number;
  readonly of_views: number;
}

/** Short conversation with real calls on the built server and sandbox; only the texts of both sides are scripted. */
export async function runChat(): Promise<readonly Turn[]> {
  const client = new Client(
    { name: 'docshare-pictures', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  let question = '';
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    question = params.message;
    return { action: 'cancel' };
  });
  const args = ['dist/mcp/main.js', '--sandbox', '--state', 'memory'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const call = async (name: string, input: JsonRecord): Promise<JsonRecord> => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: { ...input } });
    if (isError) throw new Error(`${name} failed: ${JSON.stringify(structuredContent)}`);
    return structuredContent as JsonRecord;
  };
  try {
    const searchResult = await call('find', { text: 'pitch deck', groups: ['links'] });
    const [link] = searchResult['items'] as readonly Link[];
    if (!link) throw new Error('The example company has no link to a pitch deck');
    const report = await call('report_link', { id: link.id });
    const totals = report['totals'] as Totals;
    const updateArgs = { id: link.id, fields: { email_required: false } };
    await call('update_link', updateArgs);
    const stop = report['most_stop_after'] as Stop | undefined;
    return [
      { role: 'person', text: 'Who read our pitch deck?' },
      { role: 'tool', name: 'find', args: { text: 'pitch deck' }, outcome: link.name },
      {
        role: 'tool',
        name: 'report_link',
        args: { id: link.id },
        outcome: `${totals.views} views, ${totals.unique_visitors} visitors`,
      },
      {
        role: 'assistant',
        text: [
          `“${link.name}” was opened ${totals.views} times by ${totals.unique_visitors} people, ${Math.round(totals.average_seconds)} seconds each on average.`,
          ...(stop ? [`Most stop after page ${stop.page}: ${stop.views} of ${stop.of_views} views end there.`] : []),
        ].join(' '),
      },
      { role: 'person', text: 'Remove the email gate, so that everybody can read it.' },
      { role: 'tool', name: 'update_link', args: { fields: updateArgs.fields }, outcome: 'waits for approval' },
      { role: 'preview', text: question.replace(/\nRequest:[\s\S]*/, '') },
    ];
  } finally {
    await client.close();
  }
}
