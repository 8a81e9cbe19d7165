import type { ZObject } from 'zapier-platform-core';

/** The platform's object for a step, with the parts that a test is about; whatever else is used of it fails the test by itself. */
export const platformWith = (parts: object): ZObject => parts as ZObject;
