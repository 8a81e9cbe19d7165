import { completable, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG } from './conformance-fixtures-content.ts';

const described = (name: string) => ({ description: `Conformance: ${name}.` });

const Arguments = z.strictObject({
  arg1: completable(z.string().describe('First test argument'), (typed) =>
    ['paris', 'park', 'party'].filter((word) => word.startsWith(typed)),
  ),
  arg2: z.string().describe('Second test argument'),
});
const ResourceUri = z.strictObject({ resourceUri: z.string().describe('URI of the resource to embed') });

/** Resources, their template, and prompts with completion. */
export function registerReading(server: McpServer): void {
  registerResources(server);
  registerPrompts(server);
  // The SDK does not store subscriptions; the suite checks only the response.
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function registerResources(server: McpServer): void {
  const text = 'This is the content of the static text resource.';
  server.registerResource(
    'static-text',
    'test://static-text',
    { ...described('static-text'), mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text }] }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { ...described('static-binary'), mimeType: 'image/png' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'image/png', blob: PNG }] }),
  );
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { ...described('watched-resource'), mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: 'Never changes.' }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { ...described('template'), mimeType: 'application/json' },
    ({ href }, { id }) => {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri: href, mimeType: 'application/json', text: data }] };
    },
  );
}

function registerPrompts(server: McpServer): void {
  const say = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  server.registerPrompt('test_simple_prompt', described('test_simple_prompt'), () => ({
    messages: [say('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...described('test_prompt_with_arguments'), argsSchema: Arguments },
    ({ arg1, arg2 }) => ({ messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...described('test_prompt_with_embedded_resource'), argsSchema: ResourceUri },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          say('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', described('test_prompt_with_image'), () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      say('Please analyze the image above.'),
    ],
  }));
}
