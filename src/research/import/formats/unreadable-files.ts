// Recognises, by their first bytes, files that an import does not read, and says what to do with each.

export interface UnreadableFile {
  /** What the file is, as in `is a Feather file`. */
  readonly description: string;
  /** What to do; FILE stands for its path. */
  readonly hint: string;
}

const bytes = (...values: readonly number[]): string => String.fromCharCode(...values);
const TO_PARQUET = (read: string): string => `convert it: python3 -c "import pandas; pandas.${read}('FILE').to_parquet('FILE.parquet')"`;
const UNPACK = (tool: string): string => `unpack it first: ${tool} FILE`;

/** First bytes as Latin-1. */
const UNREADABLE: readonly (readonly [first: string, file: UnreadableFile])[] = [
  ['FEA1', { description: 'is a Feather file of version 1', hint: TO_PARQUET('read_feather') }],
  [bytes(0x89, 0x48, 0x44, 0x46), { description: 'is an HDF5 file', hint: TO_PARQUET('read_hdf') }],
  [
    'SQLite format 3',
    { description: 'is an SQLite database', hint: 'write the table as CSV: sqlite3 -header -csv FILE "select * from TABLE" > candles.csv' },
  ],
  [bytes(0x89) + 'TWTAPE', { description: 'is a tape already', hint: 'play it with --tape FILE; tape info shows what it holds' }],
  [bytes(0xfd) + '7zXZ', { description: 'is packed with xz', hint: UNPACK('unxz') }],
  ['BZh', { description: 'is packed with bzip2', hint: UNPACK('bunzip2') }],
  [bytes(0x04, 0x22, 0x4d, 0x18), { description: 'is packed with LZ4', hint: UNPACK('unlz4') }],
  [`7z${bytes(0xbc, 0xaf)}`, { description: 'is a 7z archive', hint: UNPACK('7z x') }],
  ['%PDF', { description: 'is a PDF document', hint: 'give the data itself, as CSV, JSON or Parquet' }],
  [bytes(0xd0, 0xcf, 0x11, 0xe0), { description: 'is a workbook of Excel', hint: 'save it as CSV' }],
  ['PK', { description: 'is a zip archive', hint: `${UNPACK('unzip')}; a workbook of Excel is to be saved as CSV` }],
  [
    bytes(0xfe, 0xff),
    { description: 'is text in UTF-16 with the high byte first', hint: 'convert it: iconv -f UTF-16 -t UTF-8 FILE > candles.csv' },
  ],
];

/** Returns what the file is if it cannot be read; undefined if it may be text. */
export function unreadableFileOf(head: Buffer): UnreadableFile | undefined {
  const text = head.toString('latin1');
  const known = UNREADABLE.find(([first]) => text.startsWith(first));
  if (known !== undefined) return known[1];
  if (/^\s*<(!doctype|html|\?xml)/i.test(text))
    return {
      description: 'is a web page or XML, perhaps the error page of a download',
      hint: 'open it to see why, and download the data again',
    };
  const path = listIn(text);
  if (path !== undefined)
    return {
      description: `is a reply of an API: its records are the list ${path}`,
      hint: `write that list alone: jq '.${path}' FILE > candles.json; give --sort if the newest comes first`,
    };
  return head.includes(0)
    ? { description: 'is neither text nor a packed file that is known', hint: 'check how it was made, or download it again' }
    : undefined;
}

const STRING = /^"((?:[^"\\]|\\.)*)"/;

/** Returns the path of the first list of lists or objects within a JSON object, as in `result.list`; undefined if the text begins otherwise, or has none. */
function listIn(text: string): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  /** Keys of the objects that are open at this place. `key` is the newest key, whose value comes next. */
  const keys: string[] = [];
  let key = '';
  for (let rest = text; rest !== ''; ) {
    const [written, string] = STRING.exec(rest) ?? [];
    if (written !== undefined) {
      if (/^\s*:/.test(rest.slice(written.length))) key = string ?? '';
      rest = rest.slice(written.length);
      continue;
    }
    if (/^\[\s*[[{]/.test(rest)) return key === '' ? undefined : [...keys, key].map(asMember).join('.');
    if (rest.startsWith('{') && key !== '') keys.push(key);
    if (rest.startsWith('}')) keys.pop();
    rest = rest.slice(1);
  }
  return undefined;
}

const asMember = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key));
