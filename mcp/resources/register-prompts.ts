import type { McpServer } from '@modelcontextprotocol/server';
import type { Workflow } from './workflows.ts';

export function registerPrompts(server: McpServer, workflows: readonly Workflow[]): void {
  for (const { name, title, description, arguments: argsSchema, request, steps } of workflows)
    server.registerPrompt(name, { title, description, argsSchema }, (args) => ({
      description,
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: `${request(args as Readonly<Record<string, string>>)}\n\n${steps}` },
        },
      ],
    }));
}
