import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server';

/** Accepts every form: `parseFormAnswer` checks the one field, so the SDK's large validator is not needed. */
export const permissiveFormValidator: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (content) => ({ valid: true, data: content as T, errorMessage: undefined });
  },
};
