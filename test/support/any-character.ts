import fc from 'fast-check';

/** Any code point that is a character. fast-check's unit `binary` lists all 1.1 million first; that takes a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_f7ff })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));
