// Files that an import does not read: it says what they are by their first bytes, and what to do. And text in UTF-16, which it reads.
import { expect, test } from 'vitest';
import { loadArrow } from '../../../../src/research/import/formats/feather-lines.ts';
import { errorTextOf, fileOf, imported, keepFilesPerTest } from './recordings.ts';

keepFilesPerTest();

const complaint = (content: Buffer): Promise<string> => errorTextOf(imported('candles', [fileOf('given', content)]));
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, undefined, 2));
const ROW = ['1704067200000', '1', '2', '0.5', '1.5', '3'];

test.each([
  ['ARROW1\0\0', 'cannot be read as Feather: '],
  ['FEA1', 'is a Feather file of version 1'],
  ['\x89HDF\r\n\x1a\n', 'is an HDF5 file'],
  ['SQLite format 3\0', 'is an SQLite database | write the table as CSV'],
  ['\x89TWTAPE\n', 'is a tape already | play it with --tape'],
  ['\xfd7zXZ\0', 'is packed with xz | unpack it first: unxz'],
  ['BZh9', 'is packed with bzip2'],
  ['\x04\x22\x4d\x18', 'is packed with LZ4'],
  ['7z\xbc\xaf\x27\x1c', 'is a 7z archive'],
  ['PK\x03\x04', 'is a zip archive | unpack it first: unzip'],
  ['%PDF-1.7', 'is a PDF document'],
  ['\xd0\xcf\x11\xe0', 'is a workbook of Excel | save it as CSV'],
  ['\xfe\xff\0t', 'is text in UTF-16 with the high byte first | convert it: iconv'],
  ['\n<!DOCTYPE html><html>', 'is a web page or XML'],
  ['\x01\0\x02', 'is neither text nor a packed file that is known'],
])('%j', async (first, words) => expect(await complaint(latin(first))).toContain(`given ${words}`));

test.each([
  [{ code: '0', msg: '', data: [ROW] }, 'data', "jq '.data'"],
  [{ retCode: 0, result: { symbol: 'BTCUSDT', list: [ROW] } }, 'result.list', "jq '.result.list'"],
  [{ error: [], result: { 'BTC/USD': [ROW], last: 1 } }, 'result."BTC/USD"', 'jq \'.result."BTC/USD"\''],
  [{ meta: { note: 'a "list": [[' }, candles: [{ time: 1 }] }, 'candles', "jq '.candles'"],
])('a reply of an API: %j', async (reply, path, hint) => {
  const text = await complaint(json(reply));
  expect(text).toContain(`given is a reply of an API: its records are the list ${path} | write that list alone: ${hint}`);
});

const objectLine = (hour: number): string =>
  JSON.stringify({ time: 1_704_067_200 + hour * 3_600, open: 1, high: 2, low: 0.5, close: 1, volume: hour + 1 });

test('one candle per line as an object is no such reply', async () => {
  expect((await imported('candles', [fileOf('objects', [objectLine(0), objectLine(1)])])).checks.rows.open).toBe(2);
});

test('text in UTF-16, as MetaTrader writes it, is read', async () => {
  const text = 'time,open,high,low,close,volume\r\n1704067200,1,2,0.5,1,7\r\n1704070800,1,2,0.5,1,8\r\n';
  const file = fileOf('utf16', Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]));
  const { checks } = await imported('candles', [file]);
  expect(checks.rows.close).toBe(2);
  expect(checks.layouts).toMatchObject([{ packing: 'utf16' }]);
});

test('a Feather file is refused with what to install where a package that reads it is missing', async () => {
  const text = await errorTextOf(loadArrow('given', () => Promise.reject(new Error('not installed'))));
  expect(text).toContain('given is a Feather file, and the packages that read it cannot be loaded');
  expect(text).toContain(' | install them: npm install @uwdata/flechette lz4-napi');
});
