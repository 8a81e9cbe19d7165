import { z } from 'zod';
import { quoted } from '../answer/quoted.ts';
import { text } from '../contract/arguments.ts';
import { defineTool, type ToolAnswer } from '../contract/tool.ts';
import { saveFile } from '../files/save-file.ts';
import { draftGate } from './draft-gate.ts';
import { lookUp } from './look-up.ts';
import { listTool, sendTool, textAnswer, writeTool } from './tool-kinds.ts';

export const agreementTools = [
  listTool({
    name: 'list_agreements',
    description: 'Lists agreements with states, recipients.',
    operation: 'agreements.list',
  }),
  writeTool({
    name: 'create_agreement',
    description: 'Creates an agreement without sending it; send_agreement sends.',
    operation: 'agreements.create',
    fields: 'Fields of the agreement, named as in list_agreements',
    gate: draftGate('agreement'),
  }),
  sendTool({
    name: 'send_agreement',
    description: 'Sends an agreement to its recipients for signature.',
    operation: 'agreements.send',
    id: 'Agreement id',
    gate: ({ id }) => ({
      will: `Send agreement ${quoted(id)} to its recipients for signature. They get a message at once; it can't be taken back.`,
      look: lookUp('agreements', String(id)),
    }),
  }),
  defineTool({
    name: 'download_agreement',
    title: 'Download agreement',
    description: "Gets an agreement's (signed) file: saved to path, else a short-lived url.",
    operations: ['agreements.document'],
    idsFrom: 'list_agreements',
    arguments: z.strictObject({
      id: text('Agreement id'),
      path: text('New file in an allowed folder').optional(),
    }),
    answers: textAnswer('id', 'url', 'path', 'sha256'),
    async run({ client, options, progress, files }, { id, path }): Promise<ToolAnswer> {
      const plainName = `agreement-${id.replace(/[^\w-]/g, '_')}.pdf`;
      // Before the service is asked: a refused path should cost no request.
      if (path !== undefined) await files.fresh(path, plainName);
      const download = await client.agreements.document({ id }, options);
      const name = download.name ?? plainName;
      const about = { id, name, ...(download.type === undefined ? {} : { type: download.type }) };
      if (path === undefined) {
        if (download.url !== undefined)
          return { data: { ...about, url: download.url }, reveals: ['url'], own: ['url'] };
        const body = await download.open();
        await body.bytes[Symbol.asyncIterator]().return?.();
        const size = body.sizeBytes === undefined ? {} : { size_bytes: body.sizeBytes };
        const next = 'The service sends the file itself, not an address: call again with path to save it.';
        return { data: { ...about, ...size, next }, own: ['next'] };
      }
      const target = await files.fresh(path, name);
      const body = await download.open(options.signal ? { signal: options.signal } : {});
      const saved = await saveFile(target, body.bytes, {
        signal: options.signal,
        onBytes: (bytes) => progress.step(bytes, body.sizeBytes, `saved ${bytes} bytes`),
      });
      return {
        data: {
          ...about,
          type: body.type,
          path: target,
          size_bytes: saved.sizeBytes,
          sha256: saved.sha256,
        },
        own: ['path'],
      };
    },
  }),
];
