import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

type JsonRecord = Readonly<Record<string, unknown>>;

/** One line of a conversation: words of a side, a tool that was really called, or a preview that was really given. */
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
  readonly drop_off: readonly { readonly page: number; readonly share: number }[];
}

/** A short conversation whose calls run on the built server and its sandbox; only the words of the two sides are written. */
export async function runChat(): Promise<readonly Turn[]> {
  const client = new Client({ name: 'docshare-pictures', version: '1.0.0' });
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
    const preview = String((await call('update_link', updateArgs))['preview']);
    const dropOff = totals.drop_off.find(({ share }) => share < 0.6);
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
          ...(dropOff
            ? [`By page ${dropOff.page}, ${Math.round((1 - dropOff.share) * 100)} % of them had stopped.`]
            : []),
        ].join(' '),
      },
      { role: 'person', text: 'Take the e-mail gate off, so that everybody can read it.' },
      { role: 'tool', name: 'update_link', args: { fields: updateArgs.fields }, outcome: 'nothing has happened yet' },
      { role: 'preview', text: preview.replace(/\n+Sent as[\s\S]*/, '') },
    ];
  } finally {
    await client.close();
  }
}
