import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

const toJson = () => ({ type: 'object' });

/** SDK schema that accepts every value: `callTool` checks arguments, with better errors, and tools are listed from their JSON. */
export const passthroughSchema: StandardSchemaWithJSON = {
  '~standard': {
    version: 1,
    vendor: 'docshare',
    validate: (value) => ({ value }),
    jsonSchema: { input: toJson, output: toJson },
  },
};
