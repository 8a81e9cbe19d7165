import { serverInfo } from '../../mcp/setup/server-info.ts';
import { rootManifest } from '../pack/manifest.ts';

const { baseUrl, apiKey, files } = serverInfo.settings;

/** Entry for MCP registries, schema 2025-12-11. */
export const serverJson = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: rootManifest.mcpName,
  title: serverInfo.title,
  description: serverInfo.description,
  version: rootManifest.version,
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{host}/mcp',
      variables: {
        host: {
          description: 'Host of the server that your company runs (docshare-mcp --hosted)',
          placeholder: 'mcp.example.com',
          isRequired: true,
        },
      },
    },
  ],
  packages: [
    {
      registryType: 'npm',
      identifier: serverInfo.package,
      version: rootManifest.version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'named', name: files.option, description: files.description, format: 'filepath', isRepeated: true },
      ],
      environmentVariables: [
        { name: baseUrl.env, description: baseUrl.description, placeholder: baseUrl.placeholder, isRequired: true },
        { name: apiKey.env, description: apiKey.description, isRequired: true, isSecret: true },
      ],
    },
  ],
};
