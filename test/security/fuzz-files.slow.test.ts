// Hostile files: configurations, tapes, Parquet, recordings, keys, journals. Each is read or refused with a UserError, quickly.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { openKey, publicKeyIn } from '../../src/base/keys/key.ts';
import { heldOnce } from '../../src/base/keys/passphrase.ts';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import { publicKeyOf, toBase58 } from '../../src/base/wire/ed25519.ts';
import { readLines } from '../../src/bot/journal/segment.ts';
import { loadConfig } from '../../src/bot/run/core/config.ts';
import { BUILT_IN_STRATEGIES } from '../../src/bot/strategy/loading/loader.ts';
import { encodeHead, encodeIndex, encodePrelude, HEAD, PRELUDE } from '../../src/embedded/tape/layout.ts';
import { exportParquet, importParquet } from '../../src/embedded/tape/parquet.ts';
import { openTape } from '../../src/embedded/tape/reader.ts';
import type { ImportFormat } from '../../src/research/import/formats/reading.ts';
import { importTape } from '../../src/research/import/import.ts';
import { streamLine } from '../unit/tape/import/recordings.ts';
import { allRows, randomRows, rowAt, START, tapeOf } from '../unit/tape/samples.ts';
import { mutated, mutatedJson, pollution } from './mutations.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const put = (name: string, content: Uint8Array | string): string => {
  rmSync(at(name), { force: true });
  writeFileSync(at(name), content, { mode: 0o600 });
  return at(name);
};

/** Number of inputs that `act` accepted, and that it refused with a UserError. Any other error is rethrown with its round. */
async function rounds(count: number, seed: string, act: (rng: Rng) => unknown) {
  let [taken, refused] = [0, 0];
  for (let round = 0; round < count; round++) {
    try {
      await act(rngFrom(`${seed} ${round}`));
      taken++;
    } catch (error) {
      if (!(error instanceof UserError)) throw new Error(`round "${seed} ${round}"`, { cause: error });
      refused++;
    }
  }
  expect(pollution()).toEqual([]);
  return { taken, refused };
}

describe('configurations', () => {
  const sources = BUILT_IN_STRATEGIES.map((name) => readFileSync(new URL(`../../config/${name}.yaml`, import.meta.url)));

  test('changed anywhere', async () => {
    const { taken, refused } = await rounds(600, 'yaml', (rng: Rng): unknown =>
      loadConfig({ file: put('c.yaml', mutated(sources[rng.below(3)] ?? Buffer.of(), rng)), sets: [] }),
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(50);
  });

  test('overridden by anything', async () => {
    const { refused } = await rounds(600, 'set', (rng: Rng): unknown =>
      loadConfig({ file: undefined, sets: [mutated(Buffer.from('limits.margin.openBuffer=0.25'), rng).toString()] }),
    );
    expect(refused).toBeGreaterThan(50);
  });

  test.each([
    [
      'aliases of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghij')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(',')}]`)
        .join('\n')}`,
    ],
    ['an alias of itself', 'params: &a { b: *a }'],
    ['a key __proto__', 'params: { __proto__: { polluted: 1 } }'],
    ['a merged __proto__', 'x: &x { __proto__: { polluted: 1 } }\nparams:\n  <<: *x'],
    ['a constructor', 'params: { constructor: { prototype: { polluted: 1 } } }'],
    ['a tag for code', 'params: !!js/function "function () { return 1 }"'],
    ['depth', `params: ${'['.repeat(20_000)}`],
    ['depth by indentation', Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth % 80)}a:`).join('\n')],
    ['bulk', `params: ${'x'.repeat(300_000)}`],
    ['a key that is a map', '? { a: 1 }\n: 2'],
    ['two documents', 'params: {}\n---\nparams: {}'],
  ])('of %s', (_, text) => {
    expect(() => loadConfig({ file: put('c.yaml', text), sets: [] })).toThrow(UserError);
    expect(pollution()).toEqual([]);
  });

  test.each([
    '__proto__.polluted=1',
    'params.__proto__.polluted=1',
    'constructor.prototype.polluted=1',
    'params={__proto__: {polluted: 1}}',
    'a=[*b]',
  ])('set to %s', (set) => {
    expect(() => loadConfig({ file: undefined, sets: [set] })).toThrow(UserError);
    expect(pollution()).toEqual([]);
  });
});

/** A tape with valid checksums, which anybody can compute. */
function resealed(whole: Buffer, rng: Rng): Buffer {
  const start = PRELUDE + whole.readUInt32LE(12);
  const header = whole.subarray(PRELUDE, start);
  const size = whole.readUInt32LE(start + 24);
  const body = whole.subarray(start + HEAD, start + HEAD + size);
  const text = rng.below(3) === 0 ? mutatedJson(JSON.parse(header.toString()), rng) : header.toString();
  const hostile = rng.below(3) > 0 ? mutated(body, rng) : body;
  const rows = rng.below(3) === 0 ? [1, 41, 65_536, 2 ** 31][rng.below(4)]! : 40;
  const [first, last] = [whole.readDoubleLE(start + 8), whole.readDoubleLE(start + 16)];
  const head = { rows, first, last, size: hostile.length, crc: crc32(hostile) };
  return Buffer.concat([encodePrelude(text), encodeHead(head), hostile, encodeIndex([head], Buffer.alloc(32))]);
}

function withFooter(data: Buffer, footer: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(footer.length);
  return Buffer.concat([data, footer, size, Buffer.from('PAR1')]);
}

describe('tapes', () => {
  const blocks = [randomRows(40, { seed: 'one' }), [rowAt(START + 10_000_000)]];

  test('changed anywhere, sealed or not', async () => {
    await tapeOf(at('whole.tape'), blocks);
    const whole = readFileSync(at('whole.tape'));
    const { refused } = await rounds(
      400,
      'tape',
      async (rng: Rng): Promise<unknown> =>
        allRows(await openTape(put('a.tape', rng.below(2) === 0 ? mutated(whole, rng) : resealed(whole, rng)))),
    );
    expect(refused).toBeGreaterThan(200);
  });

  test('as Parquet, changed anywhere', async () => {
    await tapeOf(at('whole.tape'), blocks);
    const tape = await openTape(at('whole.tape'));
    await exportParquet(tape, at('whole.parquet'));
    await tape.close();
    const whole = readFileSync(at('whole.parquet'));
    const footer = whole.length - 8 - whole.readUInt32LE(whole.length - 8);
    const { refused } = await rounds(250, 'parquet', (rng: Rng): unknown => {
      const hostile =
        rng.below(2) === 0 ? mutated(whole, rng) : withFooter(whole.subarray(0, footer), mutated(whole.subarray(footer, -8), rng));
      return importParquet(put('a.parquet', hostile), at('b.tape'));
    });
    expect(refused).toBeGreaterThan(100);
  });
});

describe('recordings', () => {
  const time = 1_700_000_000_000;
  const book = (step: number): string =>
    `${time + step}000000 ${JSON.stringify({ channel: 'l2Book', data: { coin: 'BTC', time: time + step, levels: [[{ px: '99.0', sz: '1.0', n: 1 }], [{ px: '101.0', sz: `${step + 1}.0`, n: 1 }]] } })}`;
  const dealt = (step: number): string =>
    `${time + step}000000 ${JSON.stringify({ channel: 'trades', data: [{ coin: 'BTC', side: 'A', px: '100.0', sz: '0.5', time: time + step, tid: step }] })}`;
  const SOURCES: Readonly<Record<ImportFormat, readonly string[]>> = {
    hyperliquid: [book(0), dealt(100), book(500), dealt(700), book(1_000)],
    binance: [
      streamLine.snapshot(0, 10, { bids: [['99.0', '1.000']], asks: [['101.0', '1.000']] }),
      streamLine.change(10, { U: 9, u: 11, pu: 8 }, { b: [['99.5', '2.000']] }),
      streamLine.change(
        20,
        { U: 12, u: 13, pu: 11 },
        {
          a: [
            ['101.0', '0.000'],
            ['102.0', '1.000'],
          ],
        },
      ),
      streamLine.trade(30, {}),
    ],
    tardis: [
      'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
      `x,BTC,${time}000,${time}500,true,bid,99.0,1.0`,
      `x,BTC,${time}000,${time}500,true,ask,101.0,1.0`,
      `x,BTC,${time + 10}000,${time + 10}500,false,bid,99.5,2.0`,
    ],
    candles: ['time_ms,open,high,low,close,volume', ...[0, 1, 2, 3].map((step) => `${time + step * 60_000},100,101,99,100.5,7`)],
  };

  test.each(Object.entries(SOURCES))('of %s, changed anywhere', async (from, lines) => {
    const source = Buffer.from(`${lines.join('\n')}\n`);
    await importTape({ from: from as ImportFormat, market: 'X', files: [put('r', source)], out: at('whole') });
    const { taken, refused } = await rounds(100, from, (rng: Rng): unknown => {
      const text = mutated(source, rng);
      const bytes = rng.below(6) === 0 ? mutated(gzipSync(text), rng) : text;
      return importTape({ from: from as ImportFormat, market: 'X', files: [put('r', bytes)], out: at('out.tape') });
    });
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(20);
  });
});

describe('candle files', () => {
  const folderOf = new URL('../fixtures/candles/', import.meta.url);
  const sources = ['pyarrow-zstd.parquet', 'fastparquet-gzip.parquet', 'seconds.csv.zst', 'pretty.json', 'yfinance.csv', 'metatrader.csv'];

  test.each(sources)('%s, changed anywhere', async (name) => {
    const source = readFileSync(new URL(name, folderOf));
    const { refused } = await rounds(120, name, (rng: Rng): unknown =>
      importTape({ from: 'candles', market: 'BTC', files: [put('c', mutated(source, rng))], out: at('candles.tape') }),
    );
    expect(refused).toBeGreaterThan(20);
  });
});

describe('keys', () => {
  const secret = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
  const stated = toBase58(publicKeyOf(secret));
  const keystore = {
    keystore: 1,
    publicKey: stated,
    kdf: { name: 'scrypt', N: 131_072, r: 8, p: 1, salt: Buffer.alloc(32, 7).toString('base64') },
    cipher: { name: 'aes-256-gcm', nonce: Buffer.alloc(12, 7).toString('base64'), sealed: Buffer.alloc(48, 7).toString('base64') },
  };
  const plain = [JSON.stringify([...secret, ...publicKeyOf(secret)]), toBase58(secret)];

  test('of every kind, changed anywhere; and no secret is printed', async () => {
    const { refused } = await rounds(1_500, 'key', (rng: Rng): unknown => {
      const source =
        [...plain, JSON.stringify(keystore), JSON.stringify({ signer: ['/bin/false'], publicKey: stated })][rng.below(4)] ?? '';
      const json = source.startsWith('{') && rng.below(2) === 0 ? mutatedJson(JSON.parse(source), rng) : mutated(Buffer.from(source), rng);
      try {
        return publicKeyIn(put('k', json));
      } catch (error) {
        expect(String(error)).not.toMatch(/5,6,7,8|4wBqpZM9/);
        throw error;
      }
    });
    expect(refused).toBeGreaterThan(700);
  });

  test('a keystore that nobody sealed is not opened', async () => {
    const open = openKey(put('k', JSON.stringify(keystore)), async () => heldOnce(Uint8Array.from(Buffer.from('words'))));
    await expect(open).rejects.toMatchObject({ name: 'UserError', code: 'key' });
  });
});

const sealed = (json: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${crc32(json).toString(16).padStart(8, '0')} `), json, Buffer.from('\n')]);

describe('journals', () => {
  const entries = [
    [{ kind: 'journal', version: 1, segment: 1, older: [] }],
    [{ kind: 'order', at: 'x', market: 'A' }],
    [{ kind: 'sent', body: 'AAAA' }],
  ];
  const whole = Buffer.concat(entries.map((line) => sealed(Buffer.from(JSON.stringify(line)))));

  test('changed anywhere, sealed or not', async () => {
    const { taken, refused } = await rounds(1_000, 'journal', (rng: Rng): unknown => {
      const hostile = rng.below(2) === 0 ? sealed(mutated(Buffer.from(JSON.stringify(entries[1])), rng)) : Buffer.of();
      return readLines(rng.below(2) === 0 ? mutated(whole, rng) : Buffer.concat([whole, hostile, whole]), 'journal');
    });
    expect(Math.min(taken, refused)).toBeGreaterThan(50);
  });
});
