/** The type of a file by its name and its first bytes. */
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
  [' %PDF-1.7', undefined, 'application/octet-stream'],
  ['\x89PNG\r\n\x1a\n', 'PNG', 'image/png'],
  ['x\x89PNG\r\n', undefined, 'application/octet-stream'],
  ['\xff\xd8\xff\xe0', 'JPEG', 'image/jpeg'],
  ['x\xff\xd8\xff\xe0', undefined, 'application/octet-stream'],
  ['GIF87a', 'GIF', 'image/gif'],
  ['GIF89a', 'GIF', 'image/gif'],
  ['GIF88a', undefined, 'application/octet-stream'],
  ['xGIF89a', undefined, 'application/octet-stream'],
  ['PK\x03\x04', 'ZIP', 'application/octet-stream'],
  ['PKab', undefined, 'application/octet-stream'],
  ['PK \x04', undefined, 'application/octet-stream'],
  ['PK\x03 ', undefined, 'application/octet-stream'],
  ['xPK\x03\x04', undefined, 'application/octet-stream'],
  ['<!DOCTYPE html><p>', 'web page', 'application/octet-stream'],
  ['\xef\xbb\xbf \n<html lang="en">', 'web page', 'application/octet-stream'],
  ['<!-- saved\nfrom --> <html>', 'web page', 'application/octet-stream'],
  ['<!-- saved -->\r\n<html>', 'web page', 'application/octet-stream'],
  ['text <html>', undefined, 'application/octet-stream'],
  ['<?xml version="1.0"?>', 'XML document', 'application/octet-stream'],
  ['\xef\xbb\xbf <?xml version="1.0"?>', 'XML document', 'application/octet-stream'],
  ['x <?xml', undefined, 'application/octet-stream'],
  ['\x7fELF\x02', 'program', 'application/octet-stream'],
  [`MZ${'\n'.repeat(50)}`, 'program', 'application/octet-stream'],
  [`MZ${'\n'.repeat(49)}`, undefined, 'application/octet-stream'],
  [`xMZ${'.'.repeat(50)}`, undefined, 'application/octet-stream'],
  ['MZ is a text', undefined, 'application/octet-stream'],
  ['', undefined, 'application/octet-stream'],
  [`${' '.repeat(507)}<html>`, 'web page', 'application/octet-stream'],
  [`${' '.repeat(508)}<html>`, undefined, 'application/octet-stream'],
])('the kind of %j is %s', (start, kind, type) => {
  expect([detectFileKind(latin(start)), detectMediaType(latin(start))]).toEqual([kind, type]);
});

test.each([
  ['.pdf', 'application/pdf', 'PDF'],
  ['.doc', 'application/msword', undefined],
  ['.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'ZIP'],
  ['.ppt', 'application/vnd.ms-powerpoint', undefined],
  ['.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'ZIP'],
  ['.xls', 'application/vnd.ms-excel', undefined],
  ['.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'ZIP'],
  ['.key', 'application/vnd.apple.keynote', undefined],
  ['.csv', 'text/csv', undefined],
  ['.txt', 'text/plain', undefined],
  ['.md', 'text/markdown', undefined],
  ['.html', 'text/html', undefined],
  ['.json', 'application/json', undefined],
  ['.png', 'image/png', 'PNG'],
  ['.jpg', 'image/jpeg', 'JPEG'],
  ['.gif', 'image/gif', 'GIF'],
  ['.webp', 'image/webp', undefined],
  ['.svg', 'image/svg+xml', undefined],
  ['.mp4', 'video/mp4', undefined],
  ['.mov', 'video/quicktime', undefined],
  ['.webm', 'video/webm', undefined],
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
  ['application/x+yaml', 'application/octet-stream'],
  ['text/x-log', 'text/plain'],
  ['text/x+xml', 'application/xml'],
  ['x-text/log', 'application/octet-stream'],
  ['video/x-ours', 'application/octet-stream'],
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
