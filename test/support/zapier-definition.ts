import { readFileSync } from 'node:fs';
import { unzipArtefact } from './zapier-artefact.ts';

export interface Field {
  key: string;
  label?: string;
  type?: string;
  helpText?: string;
  required?: boolean;
  list?: boolean;
  primary?: boolean;
  dynamic?: string;
  search?: string;
  choices?: unknown;
  dependsOn?: string[];
  group?: string;
  children?: Field[];
}

export interface Operation {
  key: string;
  noun: string;
  display: { label: string; description: string; hidden?: boolean };
  operation: {
    type?: string;
    /** A text represents fields that are known only once the account is. */
    inputFields?: (Field | string)[];
    inputFieldGroups?: { key: string; label?: string }[];
    outputFields?: Field[];
    sample?: Record<string, unknown>;
  };
}

interface Pair {
  key: string;
  display: Operation['display'];
  search: string;
  create: string;
}

export interface Definition {
  authentication: { fields: Field[]; test: unknown; connectionLabel: unknown };
  triggers: Record<string, Operation>;
  creates: Record<string, Operation>;
  searches: Record<string, Operation>;
  searchOrCreates: Record<string, Pair>;
  searchAndCreates: Record<string, Pair & { update: string; updateInputFromSearchOutput: Record<string, string> }>;
}

/** The compiled definition that is uploaded, with functions as texts. */
export async function readDefinition(): Promise<Definition> {
  return JSON.parse(readFileSync(`${await unzipArtefact()}/zapier/definition.json`, 'utf8'));
}
