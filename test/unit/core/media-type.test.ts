import { expect, test } from 'vitest';
import {
  detectFileKind,
  detectMediaType,
  getExtension,
  getFileKind,
  getMediaTypeByName,
  toBaseMediaType,
} from '../../../src/media-type.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['%PDF-1.7', 'PDF', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'PNG', 'image/png'],
  ['\xff\xd8\xff\xe0', 'JPEG', 'image/jpeg'],
  ['GIF89a', 'GIF', 'image/gif'],
  ['GIF88a', undefined, 'application/octet-stream'],
  ['PK\x03\x04', 'ZIP', 'application/octet-stream'],
  ['PKab', undefined, 'application/octet-stream'],
  ['<!DOCTYPE html><p>', 'web page', 'application/octet-stream'],
  ['\xef\xbb\xbf \n<html lang="en">', 'web page', 'application/octet-stream'],
  ['<!-- saved -->\r\n<html>', 'web page', 'application/octet-stream'],
  ['<?xml version="1.0"?>', 'XML document', 'application/octet-stream'],
  ['\x7fELF\x02', 'program', 'application/octet-stream'],
  [`MZ${'\n'.repeat(50)}`, 'program', 'application/octet-stream'],
  [`MZ${'\n'.repeat(49)}`, undefined, 'application/octet-stream'],
  ['', undefined, 'application/octet-stream'],
  [`${' '.repeat(507)}<html>`, 'web page', 'application/octet-stream'],
  [`${' '.repeat(508)}<html>`, undefined, 'application/octet-stream'],
])('the kind of %j is %s', (start, kind, type) => {
  expect([detectFileKind(latin(start)), detectMediaType(latin(start))]).toEqual([kind, type]);
});

test.each([
  ['.pdf', 'application/pdf', 'PDF'],
  ['.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'ZIP'],
  ['.csv', 'text/csv', undefined],
  ['.md', 'text/markdown', undefined],
  ['.png', 'image/png', 'PNG'],
  ['.jpg', 'image/jpeg', 'JPEG'],
  ['.svg', 'image/svg+xml', undefined],
  ['.zip', 'application/zip', 'ZIP'],
])('%s is %s', (ending, type, kind) => {
  expect([getMediaTypeByName(`A b${ending.toUpperCase()}`), getExtension(type), getFileKind(type)]).toEqual([
    type,
    ending,
    kind,
  ]);
});

test.each([
  ['application/vnd.docshare+json', 'application/json'],
  ['application/atom+xml', 'application/xml'],
  ['application/epub+zip', 'application/zip'],
  ['application/x+json2', 'application/octet-stream'],
  ['text/x-log', 'text/plain'],
  ['x-text/log', 'application/octet-stream'],
])('the unknown type %s is read as %s', (media, plain) => {
  expect(toBaseMediaType(media)).toBe(plain);
});

test('an unknown name or type has no media type and no extension', () => {
  expect([
    getMediaTypeByName('a.jpeg'),
    getMediaTypeByName('a.exe'),
    getMediaTypeByName('a'),
    getExtension('x/y'),
  ]).toEqual(['image/jpeg', undefined, undefined, undefined]);
  expect([getFileKind(undefined), getFileKind('x/application/vnd.openxmlformats-')]).toEqual([undefined, undefined]);
});
