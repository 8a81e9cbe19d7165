/** Path of the API's base URL. */
export const BASE_PATH = '/api/v1';
