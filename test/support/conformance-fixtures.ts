import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { registerContentTools } from './conformance-fixtures-content.ts';
import { registerQuestionTools } from './conformance-fixtures-questions.ts';
import { registerReading } from './conformance-fixtures-reading.ts';

/** Returns a factory of servers with the tools, resources and prompts that the official suite calls by name. */
export function createFixturesFactory(): McpServerFactory {
  const states = createRequestStateCodec<string>({ key: randomBytes(32) });
  // Skills in memory, without a folder.
  const skills = SkillsExtension.load(
    memorySkillFiles({
      'read-more/SKILL.md': '---\nname: read-more\ndescription: Has a folder\n---\n',
      'read-more/references/more.md': 'More.',
    }),
  );
  return async () => {
    const server = new McpServer(
      { name: 'conformance-fixtures', version: '1.0.0' },
      {
        capabilities: {
          logging: {},
          tools: { listChanged: false },
          resources: { listChanged: false, subscribe: true },
          prompts: { listChanged: false },
        },
        requestState: { verify: states.verify },
      },
    );
    registerContentTools(server);
    registerQuestionTools(server, states);
    registerReading(server);
    (await skills).attach(server);
    return server;
  };
}
