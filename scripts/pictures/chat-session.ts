import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

type Answer = Readonly<Record<string, unknown>>;

/** One line of a conversation: words of a side, a tool that was really called, or a preview that was really given. */
export type Turn =
  | { readonly who: 'person' | 'assistant'; readonly words: string }
  | { readonly who: 'tool'; readonly name: string; readonly args: Answer; readonly outcome: string }
  | { readonly who: 'preview'; readonly words: string };

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
export async function holdChat(): Promise<readonly Turn[]> {
  const client = new Client({ name: 'docshare-pictures', version: '1.0.0' });
  const args = ['dist/mcp/main.js', '--sandbox', '--state', 'memory'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const call = async (name: string, input: Answer): Promise<Answer> => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: { ...input } });
    if (isError) throw new Error(`${name} failed: ${JSON.stringify(structuredContent)}`);
    return structuredContent as Answer;
  };
  try {
    const found = await call('find', { text: 'pitch deck', groups: ['links'] });
    const [link] = found['items'] as readonly Link[];
    if (!link) throw new Error('The example company has no link to a pitch deck');
    const report = await call('report_link', { id: link.id });
    const totals = report['totals'] as Totals;
    const shown = { id: link.id, fields: { email_required: false } };
    const preview = String((await call('update_link', shown))['preview']);
    const lost = totals.drop_off.find(({ share }) => share < 0.6);
    return [
      { who: 'person', words: 'Who read our pitch deck?' },
      { who: 'tool', name: 'find', args: { text: 'pitch deck' }, outcome: link.name },
      {
        who: 'tool',
        name: 'report_link',
        args: { id: link.id },
        outcome: `${totals.views} views, ${totals.unique_visitors} visitors`,
      },
      {
        who: 'assistant',
        words: [
          `“${link.name}” was opened ${totals.views} times by ${totals.unique_visitors} people, ${Math.round(totals.average_seconds)} seconds each on average.`,
          ...(lost
            ? [`By page ${lost.page}, ${Math.round((1 - lost.share) * 100)} % of them had stopped.`]
            : []),
        ].join(' '),
      },
      { who: 'person', words: 'Take the e-mail gate off, so that everybody can read it.' },
      {
        who: 'tool',
        name: 'update_link',
        args: { fields: shown.fields },
        outcome: 'nothing has happened yet',
      },
      { who: 'preview', words: preview.replace(/\n+Sent as[\s\S]*/, '') },
    ];
  } finally {
    await client.close();
  }
}
