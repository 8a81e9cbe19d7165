import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server';

/** Accepts every form: `parseElicitationOutcome` checks the one field, so the SDK's large validator is not needed. */
export const acceptAnyForm: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (content) => ({ valid: true, data: content as T, errorMessage: undefined });
  },
};
