import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server';

/**
 * Lets every filled-in form through to `wordOf`, which takes only a ticked box for a yes: the SDK's own validator is larger
 * than the rest of it, to tell whether one field is a boolean.
 */
export const acceptAnyForm: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    // The SDK asks only whether the content is valid, and goes on with the content itself.
    return (content) => ({ valid: true, data: content as T, errorMessage: undefined });
  },
};
