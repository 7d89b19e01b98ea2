// The log of a strategy: the contents of a record, the number of records, and keys that never appear.

import { Console } from 'node:console';
import { defineStrategy } from 'tickwright';
import { marketScript, play } from 'tickwright/testing';
import { describe, expect, test } from 'vitest';
import { LogBuffer } from '../../../src/bot/strategy/log.ts';
import { redirectConsole } from '../../../src/program/output/console.ts';
import { jsonFormOf } from '../../../src/program/output/json.ts';

const KEY = '5Kd3NBUAdUnhyzenEwVLy9pBKxSwXvE9FMPyR4UKZvpe6E3AgLr7rV5y1mTqjTnYPsZQUjqDWCVM2bGKyZk7a1Bx';

describe('a record', () => {
  test('keeps its text and a copy of its fields', () => {
    const log = new LogBuffer();
    const fields = { fast: 1.5, levels: [1, 2] };
    log.info('crossed', fields);
    fields.levels.push(3);
    log.warn('late');
    expect(log.take()).toEqual([
      { level: 'info', text: 'crossed', fields: { fast: 1.5, levels: [1, 2] } },
      { level: 'warn', text: 'late' },
    ]);
    expect(log.take()).toBeUndefined();
  });

  test('is one line without control characters, of at most 300 characters', () => {
    const log = new LogBuffer();
    log.info('a\x1b[2J\nb');
    log.info('x'.repeat(10_000));
    const [first, second] = log.take() ?? [];
    expect(first?.text).toBe('a\\u001b[2J\\u000ab');
    expect(second?.text).toHaveLength(300);
  });

  test.each([
    [`my key is ${KEY}`, undefined],
    ['fields', { secret: KEY }],
    ['a list', { bytes: Array.from({ length: 64 }, (_, at) => (at * 37) % 256) }],
    [`${'x '.repeat(1_990)}${KEY}`, undefined], // cut in the middle of the key
  ])('never holds a key: %#', (text, fields) => {
    const log = new LogBuffer();
    log.info(text, fields);
    const written = JSON.stringify(log.take());
    expect(written).not.toContain(KEY.slice(0, 12));
    expect(written).not.toContain('37,74,111');
  });

  test('says so if a value is not JSON, and nothing is thrown', () => {
    const log = new LogBuffer();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    log.info('circle', circle);
    log.info('large', { text: 'x'.repeat(5_000) });
    log.info('whole', { count: 2n ** 60n, none: undefined });
    log.info(Symbol('x') as never);
    log.info(Object.create(null) as never);
    expect((log.take() ?? []).map(({ text, fields }) => [text, fields])).toEqual([
      ['circle', { note: 'the fields are not JSON, or look like a key' }],
      ['large', { note: 'fields of 5011 characters were left out; at most 4096 are kept' }],
      ['whole', { count: '1152921504606846976' }],
      ['Symbol(x)', undefined],
      ['a value that cannot be converted to text', undefined],
    ]);
  });

  test('cannot imitate another line', () => {
    const log = new LogBuffer();
    log.info('text', { kind: 'fill', at: 1, market: 'X' });
    const [record] = log.take() ?? [];
    expect(jsonFormOf({ kind: 'log', at: 'T', ...record! })).toEqual({
      kind: 'log',
      at: 'T',
      level: 'info',
      text: 'text',
      kind_: 'fill',
      at_: 1,
      market: 'X',
    });
  });
});

test('at most 20 records of a turn are kept, and one counts the dropped ones', () => {
  const log = new LogBuffer();
  for (let count = 0; count < 50; count++) log.info(`line ${count}`);
  const records = log.take() ?? [];
  expect(records).toHaveLength(21);
  expect(records.at(-1)).toEqual({ level: 'warn', text: '30 more log lines of this turn were dropped; at most 20 are kept' });
  log.info('the next turn');
  expect(log.take()).toEqual([{ level: 'info', text: 'the next turn' }]);
});

test('a run prints the lines in order, with the time of the turn', async () => {
  const strategy = defineStrategy({
    name: 'talker',
    defaults: { market: 'BTCUSDC' },
    create({ market }, { log }) {
      log.info('created');
      return (view) => {
        const { fills } = view.market(market);
        for (const { price } of fills) log.warn('filled', { price });
        return [view.market(market).target({ position: 0.01, maxSlippageBps: 5 })];
      };
    },
  });
  const { log, fills } = await play(strategy, { market: marketScript().price('0s', 60_000).until('5s') });
  expect(log.map(({ level, text, fields }) => [level, text, fields])).toEqual([
    ['info', 'created', undefined],
    ['warn', 'filled', { price: 60_000.1 }],
  ]);
  expect(Date.parse(log[1]?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(fills[0]?.at ?? ''));
});

test('the console is redirected, and restored in any order', () => {
  const before = globalThis.console;
  const [some, others]: [string[], string[]] = [[], []];
  const first = redirectConsole((text) => some.push(text));
  console.log('one\ntwo %d', 2);
  const second = redirectConsole((text) => others.push(text));
  console.error('three');
  first();
  expect(globalThis.console).toBeInstanceOf(Console);
  console.warn('four');
  second();
  expect(globalThis.console).toBe(before);
  expect([some, others]).toEqual([
    ['one', 'two 2'],
    ['three', 'four'],
  ]);
});
